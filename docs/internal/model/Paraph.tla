------------------------------- MODULE Paraph -------------------------------
(* One contract of Paraph: created, signed, declined, cancelled or expired; its events, its evidence and its mails, while processes crash,
   responses get lost and messages are redelivered. README.md names the file of each action, and what the model leaves out.

   Separate variables hold what survives a crash and what does not: the three databases and the bus survive; calls, open transactions
   and the state of a process are lost. A database transaction is one step, except where its row lock and its clock matter.

   `Broken` names the rule of the design that a variant omits; "nothing" is the design itself. *)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
  Parties,      \* for example {1, 2}
  Browsers,     \* 0: nobody signs; 1: every party signs in one browser; 2: the first party uses two at the same time
  Workers,      \* mail workers; without workers the model has no mails
  HasReader,    \* TRUE: a client reads the contract's status repeatedly
  MaxFaults,    \* total of crashes, losses and repetitions: finite, because liveness holds only after the last fault
  Broken

VARIABLES
  making,         \* the POST's transaction: "not yet", "open", "made", "rolled back"
  clock,          \* the database's: "before" the contract's expiresAt, or "over" from that instant on
  contractDb,     \* [status, signatures, tombstones, outbox, published]
  transactions,   \* transactions that lock the contract's row, with the state that they read
  calls,          \* sign calls in transit to the contract service; they may arrive late
  signingDb,      \* [attempts, chain, entries, inbox, tasks, dead]
  asking,         \* per attempt, the person's request: "no", "asking", and the response "recorded" or "refused"
  sweeping,       \* per attempt, the result of the sweeper's query: "no", "recorded", "refused"
  bus,            \* the topic: a sequence of events
  position,       \* per consumer: the number of consumed messages
  notificationDb, \* [inbox, deliveries]
  working,        \* per mail worker: its state, and its delivery
  copies,         \* per party: invitations that the mail server accepted
  losses,         \* per party: crashes and losses between the mail server's 250 and the commit that records it
  told,           \* per attempt: the outcome that the person has read
  read,           \* the client's last result: "nothing final", a final status, or "a contradiction"
  jobs,           \* only in the variant CompleteByJob: jobs between read and write
  faults          \* faults so far

post == <<making, clock, read, jobs>>
contract == <<contractDb, transactions, calls>>
signing == <<signingDb, asking, sweeping, told>>
pipe == <<bus, position>>
mail == <<notificationDb, working, copies, losses>>
vars == <<post, contract, signing, pipe, mail, faults>>

Attempts == IF Browsers = 0 THEN {}
            ELSE {<<p, 1>> : p \in Parties} \cup (IF Browsers = 2 THEN {<<1, 2>>} ELSE {})
PartyOf(a) == a[1]
Consumers == (IF Browsers = 0 THEN {} ELSE {"signing"}) \cup (IF Workers = {} THEN {} ELSE {"notification"})
\* A second delivery for a party exists only in variants that do not prevent it.
Deliveries == Parties \X {1, 2}
Final == {"signed", "expired", "cancelled"}
IsOpen(status) == status \notin Final
Nobody == "nobody"
Event(type) == [type |-> type, attempt |-> <<0, 0>>]
SignedEvent(a) == [type |-> "party_signed", attempt |-> a]

Fault == faults < MaxFaults /\ faults' = faults + 1
NoFault == UNCHANGED faults

Init ==
  /\ making = "not yet" /\ clock = "before" /\ faults = 0
  /\ contractDb = [status |-> "pending_signature", signatures |-> {}, tombstones |-> {}, outbox |-> <<>>, published |-> 0]
  /\ transactions = {} /\ calls = {}
  /\ signingDb = [attempts |-> [a \in Attempts |-> "none"], chain |-> "unopened", entries |-> {}, inbox |-> {}, tasks |-> <<>>,
                  dead |-> {}]
  /\ asking = [a \in Attempts |-> "no"] /\ sweeping = [a \in Attempts |-> "no"] /\ told = [a \in Attempts |-> "nothing"]
  /\ bus = <<>> /\ position = [c \in Consumers |-> 0]
  /\ notificationDb = [inbox |-> {}, deliveries |-> [d \in Deliveries |-> [state |-> "none", claim |-> Nobody]]]
  /\ working = [w \in Workers |-> [at |-> "nothing", delivery |-> <<0, 0>>]]
  /\ copies = [p \in Parties |-> 0] /\ losses = [p \in Parties |-> 0]
  /\ read = "nothing final" /\ jobs = 0

-----------------------------------------------------------------------------
(* THE CONTRACT SERVICE *)

Signed(a) == \E s \in contractDb.signatures : s.attempt = a
Signers(signatures) == {PartyOf(s.attempt) : s \in signatures}

\* The status that a reader gets: at or after expiresAt an open contract is expired, swept or not. [D20]
StatusNow == IF IsOpen(contractDb.status) /\ clock = "over" THEN "expired" ELSE contractDb.status
\* Before reporting "expired" by the clock, a reader waits for the commit of a signature that was decided in time. [D20]
CanRead == StatusNow = contractDb.status \/ transactions = {} \/ Broken = "ReadWithoutWaiting"

BeginPost ==
  /\ making = "not yet" /\ making' = "open"
  /\ contractDb' = IF Broken = "TellBeforeCommit" THEN [contractDb EXCEPT !.outbox = <<Event("created")>>] ELSE contractDb
  /\ NoFault /\ UNCHANGED <<clock, read, jobs, transactions, calls, signing, pipe, mail>>

\* The contract and its event commit in one transaction. [I7]
CommitPost ==
  /\ making = "open" /\ making' = IF Broken = "TellAfterCommit" THEN "made, not told" ELSE "made"
  /\ contractDb' = IF Broken = "TellAfterCommit" THEN contractDb ELSE [contractDb EXCEPT !.outbox = <<Event("created")>>]
  /\ NoFault /\ UNCHANGED <<clock, read, jobs, transactions, calls, signing, pipe, mail>>

\* Only in the variant TellAfterCommit: the event is written after the commit, unless the process crashes first.
TellPost ==
  /\ making = "made, not told" /\ making' = "made"
  /\ \/ contractDb' = [contractDb EXCEPT !.outbox = <<Event("created")>>] /\ NoFault
     \/ UNCHANGED contractDb /\ Fault
  /\ UNCHANGED <<clock, read, jobs, transactions, calls, signing, pipe, mail>>

\* A transaction locks the contract's row and reads its state. [States and transitions, D20]
Holding(kind, attempt, clockRead) ==
  [kind |-> kind, attempt |-> attempt, clock |-> clockRead, lockedAt |-> clock, status |-> contractDb.status,
   signatures |-> contractDb.signatures]
CanLock == making = "made" /\ (transactions = {} \/ Broken = "NoRowLock")

\* The transaction reads the clock after it has locked the row, not when the call arrives. [D20]
BeginSign(call) ==
  /\ CanLock /\ call \in calls /\ calls' = calls \ {call}
  /\ transactions' = transactions \cup
       {Holding("sign", call.attempt, IF Broken = "ClockBeforeLock" THEN call.clock ELSE clock)}
  /\ NoFault /\ UNCHANGED <<post, contractDb, signing, pipe, mail>>

BeginCancel ==
  /\ CanLock /\ IsOpen(StatusNow)
  /\ transactions' = transactions \cup {Holding("cancel", <<0, 0>>, clock)}
  /\ NoFault /\ UNCHANGED <<post, contractDb, calls, signing, pipe, mail>>

\* A decline in an account where a decline cancels. One that leaves the contract open ends nothing, so it is not in the model. It needs no
\* attempt, so a party can decline while it signs, and a second browser would add nothing but states. [D57]
BeginDecline(p) ==
  /\ Browsers = 1 /\ CanLock /\ IsOpen(StatusNow)
  /\ transactions' = transactions \cup {Holding("decline", <<p, 0>>, clock)}
  /\ NoFault /\ UNCHANGED <<post, contractDb, calls, signing, pipe, mail>>

\* The result of `decide` for a sign call.
IsRecorded(t) == \E s \in t.signatures : s.attempt = t.attempt
HasSigned(t) == IF Broken = "OneSignatureAnAttempt" THEN IsRecorded(t) ELSE PartyOf(t.attempt) \in Signers(t.signatures)
MaySign(t) == ~HasSigned(t) /\ IsOpen(t.status) /\ t.clock = "before" /\ t.attempt \notin contractDb.tombstones

\* Signature, state and events of one decision commit in one transaction. The last signature completes the contract in it.
AfterSign(t) ==
  LET signatures == t.signatures \cup {[attempt |-> t.attempt, lockedAt |-> t.lockedAt]}
      isLast == Signers(signatures) = Parties /\ Broken # "CompleteByJob"
  IN [contractDb EXCEPT
        !.signatures = @ \cup signatures,
        !.status = IF isLast THEN "signed" ELSE "partially_signed",
        !.outbox = @ \o <<SignedEvent(t.attempt)>> \o (IF isLast THEN <<Event("completed")>> ELSE <<>>)]
Ended(status, event) == [contractDb EXCEPT !.status = status, !.outbox = Append(@, event)]

CommitSign(t) ==
  /\ t \in transactions /\ t.kind = "sign" /\ transactions' = transactions \ {t}
  /\ contractDb' = IF MaySign(t) THEN AfterSign(t) ELSE contractDb
  /\ asking' = IF asking[t.attempt] # "asking" THEN asking
               ELSE [asking EXCEPT ![t.attempt] = IF MaySign(t) \/ IsRecorded(t) THEN "recorded" ELSE "refused"]
  /\ NoFault /\ UNCHANGED <<post, calls, signingDb, sweeping, told, pipe, mail>>

CommitCancel(t) ==
  /\ t \in transactions /\ t.kind = "cancel" /\ transactions' = transactions \ {t}
  /\ contractDb' = IF IsOpen(t.status) /\ t.clock = "before" THEN Ended("cancelled", Event("cancelled")) ELSE contractDb
  /\ NoFault /\ UNCHANGED <<post, calls, signing, pipe, mail>>

\* A party that has signed, in another browser perhaps, cannot decline. [D57]
MayDecline(t) ==
  /\ PartyOf(t.attempt) \notin Signers(t.signatures) \/ Broken = "DeclineWithoutLooking"
  /\ IsOpen(t.status) /\ t.clock = "before"

CommitDecline(t) ==
  /\ t \in transactions /\ t.kind = "decline" /\ transactions' = transactions \ {t}
  /\ contractDb' = IF MayDecline(t) THEN Ended("cancelled", [type |-> "cancelled", attempt |-> t.attempt]) ELSE contractDb
  /\ NoFault /\ UNCHANGED <<post, calls, signing, pipe, mail>>

\* The expiry sweep. It may be late or stopped: no read and no decision depends on it.
Expire ==
  /\ CanLock /\ IsOpen(contractDb.status) /\ clock = "over"
  /\ contractDb' = Ended("expired", Event("expired"))
  /\ NoFault /\ UNCHANGED <<post, transactions, calls, signing, pipe, mail>>

\* Only in the variant CompleteByJob: jobs complete fully signed contracts some time after they have read them.
JobLooks ==
  /\ Broken = "CompleteByJob" /\ jobs < 2 /\ IsOpen(contractDb.status) /\ Signers(contractDb.signatures) = Parties
  /\ jobs' = jobs + 1 /\ NoFault /\ UNCHANGED <<making, clock, read, contract, signing, pipe, mail>>
JobCompletes ==
  /\ jobs > 0 /\ jobs' = jobs - 1
  /\ contractDb' = [contractDb EXCEPT !.status = "signed", !.outbox = Append(@, Event("completed"))]
  /\ NoFault /\ UNCHANGED <<making, clock, read, transactions, calls, signing, pipe, mail>>

\* Open transactions roll back; calls end without a response.
ContractServiceCrashes ==
  /\ Fault /\ (transactions # {} \/ calls # {} \/ making = "open")
  /\ transactions' = {} /\ calls' = {}
  /\ making' = IF making = "open" THEN "rolled back" ELSE making
  /\ asking' = [a \in Attempts |-> IF asking[a] = "asking" THEN "no" ELSE asking[a]]
  /\ told' = [a \in Attempts |-> IF asking[a] = "asking" THEN "unknown" ELSE told[a]]
  /\ UNCHANGED <<clock, read, jobs, contractDb, signingDb, sweeping, pipe, mail>>

TimeIsOver ==
  /\ making = "made" /\ clock = "before" /\ clock' = "over"
  /\ NoFault /\ UNCHANGED <<making, read, jobs, contract, signing, pipe, mail>>

Read ==
  /\ HasReader /\ making = "made" /\ CanRead /\ StatusNow # read
  /\ read' = IF read # "nothing final" THEN "a contradiction" ELSE IF IsOpen(StatusNow) THEN read ELSE StatusNow
  /\ NoFault /\ UNCHANGED <<making, clock, jobs, contract, signing, pipe, mail>>

-----------------------------------------------------------------------------
(* THE SIGNING SERVICE *)

OpenChain(db) == IF db.chain = "unopened" THEN [db EXCEPT !.chain = "open"] ELSE db
\* A closed chain accepts no entry.
AddEntry(db, kind, a) == IF db.chain = "open" THEN [db EXCEPT !.entries = @ \cup {<<kind, a>>}] ELSE db
Note(db, a) == AddEntry([OpenChain(db) EXCEPT !.attempts[a] = "submitted"], "submitted", a)

\* The compare-and-set that response, event and sweeper share: the first one wins and writes its entry in the same transaction. [D41]
Settle(db, a, outcome) ==
  IF db.attempts[a] # "submitted" THEN db ELSE AddEntry([db EXCEPT !.attempts[a] = outcome], outcome, a)
StateOf(answer) == IF answer = "recorded" THEN "accepted" ELSE "refused"

SignCall(a) == [attempt |-> a, clock |-> IF Broken = "ClockBeforeLock" THEN clock ELSE "not read"]

\* The attempt is stored before the call to the contract service. The process may crash in between. [D41]
Submit(a) ==
  /\ making = "made" /\ signingDb.attempts[a] = "none" /\ told[a] = "nothing" /\ asking[a] = "no"
  /\ signingDb' = IF Broken = "AskBeforeNoting" THEN signingDb ELSE Note(signingDb, a)
  /\ \/ asking' = [asking EXCEPT ![a] = "asking"] /\ calls' = calls \cup {SignCall(a)} /\ UNCHANGED told /\ NoFault
     \/ told' = [told EXCEPT ![a] = "unknown"] /\ UNCHANGED <<asking, calls>> /\ Fault
  /\ UNCHANGED <<post, contractDb, transactions, sweeping, pipe, mail>>

\* The person learns the response, even if it cannot be stored here at that moment.
TakeAnswer(a) ==
  /\ asking[a] \in {"recorded", "refused"} /\ asking' = [asking EXCEPT ![a] = "no"]
  /\ told' = [told EXCEPT ![a] = IF asking[a] = "recorded" THEN "signed" ELSE "not signed"]
  /\ \/ /\ signingDb' = Settle(IF signingDb.attempts[a] = "none" THEN Note(signingDb, a) ELSE signingDb, a, StateOf(asking[a]))
        /\ NoFault
     \/ UNCHANGED signingDb /\ Fault
  /\ UNCHANGED <<post, contract, sweeping, pipe, mail>>

\* The process crashes, or the response takes too long; the call itself may still arrive.
LoseAnswer(a) ==
  /\ Fault /\ asking[a] # "no" /\ asking' = [asking EXCEPT ![a] = "no"]
  /\ told' = [told EXCEPT ![a] = IF Broken = "RefusedIfUnanswered" THEN "not signed" ELSE "unknown"]
  /\ UNCHANGED <<post, contract, signingDb, sweeping, pipe, mail>>

\* A person without an outcome opens the link again, and signs again with the same attempt if it is still open.
TryAgain(a) ==
  /\ told[a] = "unknown" /\ asking[a] = "no" /\ signingDb.attempts[a] # "none"
  /\ IF signingDb.attempts[a] = "submitted"
       THEN asking' = [asking EXCEPT ![a] = "asking"] /\ calls' = calls \cup {SignCall(a)} /\ UNCHANGED told
       ELSE /\ told' = [told EXCEPT ![a] = IF signingDb.attempts[a] = "accepted" THEN "signed" ELSE "not signed"]
            /\ UNCHANGED <<asking, calls>>
  /\ NoFault /\ UNCHANGED <<post, contractDb, transactions, signingDb, sweeping, pipe, mail>>

\* Queries the outcome of an attempt: recorded, or tombstoned; a late sign call of a tombstoned attempt is refused. [D41]
SweeperAsks(a) ==
  /\ Broken # "NoSweeper" /\ CanLock /\ signingDb.attempts[a] = "submitted" /\ sweeping[a] = "no"
  /\ sweeping' = [sweeping EXCEPT ![a] = IF Signed(a) THEN "recorded" ELSE "refused"]
  /\ contractDb' = IF Signed(a) \/ Broken = "NoTombstone" THEN contractDb ELSE [contractDb EXCEPT !.tombstones = @ \cup {a}]
  /\ NoFault /\ UNCHANGED <<post, transactions, calls, signingDb, asking, told, pipe, mail>>

SweeperSettles(a) ==
  /\ sweeping[a] # "no" /\ sweeping' = [sweeping EXCEPT ![a] = "no"]
  /\ \/ signingDb' = Settle(signingDb, a, StateOf(sweeping[a])) /\ NoFault
     \/ UNCHANGED signingDb /\ Fault
  /\ UNCHANGED <<post, contract, asking, told, pipe, mail>>

\* A chain is closed only when it contains every signature that the contract service reports. [D30]
Accepted(db) == {a \in Attempts : <<"accepted", a>> \in db.entries}
IsTold(db) == Cardinality(Accepted(db)) = Cardinality(contractDb.signatures) \/ Broken = "CloseWithoutLooking"
\* The other attempts are refused, because a final contract accepts no signature. Their entries precede the closing entry.
Close(db) ==
  LET rest == {a \in Attempts : db.attempts[a] = "submitted"}
  IN IF db.chain = "closed" THEN db
     ELSE [db EXCEPT !.chain = "closed", !.entries = @ \cup {<<"refused", a>> : a \in rest},
                     !.attempts = [a \in Attempts |-> IF a \in rest THEN "refused" ELSE @[a]]]

\* Runs the oldest evidence task of the contract. A task that cannot run yet is retried.
DoTask ==
  /\ signingDb.tasks # <<>>
  /\ LET event == Head(signingDb.tasks)
         db == OpenChain([signingDb EXCEPT !.tasks = Tail(@)])
     IN CASE event.type = "created" -> signingDb' = db
          [] event.type = "party_signed" -> signingDb' = Settle(db, event.attempt, "accepted")
          [] OTHER -> IF IsTold(db) THEN signingDb' = Close(db) ELSE Broken = "CloseTriedOnce" /\ signingDb' = db
  /\ NoFault /\ UNCHANGED <<post, contract, asking, sweeping, told, pipe, mail>>

-----------------------------------------------------------------------------
(* RELAY, BUS AND INBOXES *)

\* The relay publishes the next row, then marks it. If it crashes in between, it publishes the row again. [D48]
Relay ==
  /\ contractDb.published < Len(contractDb.outbox)
  /\ bus' = Append(bus, contractDb.outbox[contractDb.published + 1])
  /\ \/ contractDb' = [contractDb EXCEPT !.published = @ + 1] /\ NoFault
     \/ UNCHANGED contractDb /\ Fault
  /\ UNCHANGED <<post, transactions, calls, signing, position, mail>>

\* One invitation per party: the key (contract, party, kind, number) allows no second.
IsMissing(db, d) ==
  /\ db.deliveries[d].state = "none"
  /\ d[2] = 1 \/ (Broken \in {"NoKey", "NoInboxNoKey"} /\ db.deliveries[<<d[1], 1>>].state # "none")
AddInvitations(db) ==
  [db EXCEPT !.deliveries =
     [d \in Deliveries |-> IF IsMissing(db, d) THEN [state |-> "due", claim |-> Nobody] ELSE db.deliveries[d]]]

\* The inbox row and the handler's rows are one transaction. [D49]
Handle(consumer, event) ==
  IF consumer = "signing"
    THEN /\ signingDb' = IF event \in signingDb.inbox THEN signingDb
                         ELSE [signingDb EXCEPT !.inbox = @ \cup {event}, !.tasks = Append(@, event), !.dead = @ \ {event}]
         /\ UNCHANGED <<asking, sweeping, told, mail>>
    ELSE /\ LET db == [notificationDb EXCEPT !.inbox = @ \cup {event}]
                isNew == event \notin notificationDb.inbox \/ Broken \in {"NoInbox", "NoInboxNoKey"}
            IN notificationDb' = IF isNew /\ event.type = "created" THEN AddInvitations(db) ELSE db
         /\ UNCHANGED <<signing, working, copies, losses>>

Consume(consumer) ==
  /\ position[consumer] < Len(bus) /\ position' = [position EXCEPT ![consumer] = @ + 1]
  /\ Handle(consumer, bus[position[consumer] + 1])
  /\ NoFault /\ UNCHANGED <<post, contract, bus>>

\* A crash before the offset was committed, a new member of the group, a replay of the topic from its beginning.
ComesAgain(consumer) ==
  /\ Fault /\ position[consumer] > 0 /\ position' = [position EXCEPT ![consumer] = 0]
  /\ UNCHANGED <<post, contract, signing, bus, mail>>

\* After five failures of the handler the message becomes a dead letter and the next one is processed. An operator redrives it. [D49]
BecomesDeadLetter ==
  /\ Fault /\ "signing" \in Consumers /\ position["signing"] < Len(bus)
  /\ LET event == bus[position["signing"] + 1]
     IN event \notin signingDb.inbox /\ signingDb' = [signingDb EXCEPT !.dead = @ \cup {event}]
  /\ position' = [position EXCEPT !["signing"] = @ + 1]
  /\ UNCHANGED <<post, contract, asking, sweeping, told, bus, mail>>
Redrive ==
  /\ \E event \in signingDb.dead : Handle("signing", event)
  /\ NoFault /\ UNCHANGED <<post, contract, pipe>>

-----------------------------------------------------------------------------
(* MAILS *)

Delivery(d) == notificationDb.deliveries[d]
Leave(w) == working' = [working EXCEPT ![w] = [at |-> "nothing", delivery |-> <<0, 0>>]]
DueAgain(w) ==
  notificationDb' = IF Delivery(working[w].delivery).claim # w THEN notificationDb
                    ELSE [notificationDb EXCEPT !.deliveries[working[w].delivery].claim = Nobody]

\* No party is invited to a final contract, or to one that it has signed.
IsWanted(p) == IsOpen(StatusNow) /\ p \notin Signers(contractDb.signatures)

\* A worker claims a delivery and reads the current data. It skips a mail that is no longer needed. [D49]
Take(w, d) ==
  /\ working[w].at = "nothing" /\ Delivery(d).state = "due" /\ Delivery(d).claim = Nobody /\ CanRead
  /\ IF IsWanted(d[1]) \/ Broken = "FactsOfTheEvent"
       THEN /\ notificationDb' = [notificationDb EXCEPT !.deliveries[d].claim = w]
            /\ working' = [working EXCEPT ![w] =
                 [at |-> IF IsWanted(d[1]) THEN "sending" ELSE "sending what nobody wants", delivery |-> d]]
       ELSE /\ notificationDb' = [notificationDb EXCEPT !.deliveries[d].state = "skipped"]
            /\ UNCHANGED working
  /\ NoFault /\ UNCHANGED <<post, contract, signing, pipe, copies, losses>>

\* The mail server's 250. The time from it to Record is the one window in which SMTP allows a duplicate. [F8]
ServerAccepts(w) ==
  /\ working[w].at \notin {"nothing", "recording"} /\ working' = [working EXCEPT ![w].at = "recording"]
  /\ copies' = [copies EXCEPT ![working[w].delivery[1]] = @ + 1]
  /\ NoFault /\ UNCHANGED <<post, contract, signing, pipe, notificationDb, losses>>

\* Only the worker with the current claim may finish a delivery.
Record(w) ==
  /\ working[w].at = "recording" /\ Leave(w)
  /\ notificationDb' = IF Delivery(working[w].delivery).claim # w THEN notificationDb
                       ELSE [notificationDb EXCEPT !.deliveries[working[w].delivery] = [state |-> "accepted", claim |-> Nobody]]
  /\ NoFault /\ UNCHANGED <<post, contract, signing, pipe, copies, losses>>

\* The worker crashes or the server defers the mail; the claim expires and the delivery is due again. After the 250 this yields a copy.
AttemptFails(w) ==
  /\ Fault /\ working[w].at # "nothing" /\ Leave(w) /\ DueAgain(w)
  /\ losses' = IF working[w].at = "recording" THEN [losses EXCEPT ![working[w].delivery[1]] = @ + 1] ELSE losses
  /\ UNCHANGED <<post, contract, signing, pipe, copies>>

\* Only in the variant ClaimEndsTooSoon: the claim expires while its worker continues.
ClaimEnds(w) ==
  /\ Broken = "ClaimEndsTooSoon" /\ working[w].at = "sending" /\ DueAgain(w)
  /\ NoFault /\ UNCHANGED <<post, contract, signing, pipe, working, copies, losses>>

-----------------------------------------------------------------------------
(* ALL TOGETHER *)

\* Actions with fairness. People, owners, readers and the clock may stay idle forever.
Progress ==
  \/ BeginPost \/ CommitPost \/ TellPost \/ Expire \/ JobLooks \/ JobCompletes
  \/ \E call \in calls : BeginSign(call)
  \/ \E t \in transactions : CommitSign(t) \/ CommitCancel(t) \/ CommitDecline(t)
  \/ \E a \in Attempts : TakeAnswer(a) \/ SweeperAsks(a) \/ SweeperSettles(a)
  \/ DoTask \/ Relay \/ Redrive
  \/ \E c \in Consumers : Consume(c)
  \/ \E w \in Workers : ServerAccepts(w) \/ Record(w) \/ \E d \in Deliveries : Take(w, d)

Chance ==
  \/ BeginCancel \/ TimeIsOver \/ Read
  \/ \E p \in Parties : BeginDecline(p)
  \/ \E a \in Attempts : Submit(a) \/ TryAgain(a)

Failure ==
  \/ ContractServiceCrashes \/ BecomesDeadLetter
  \/ \E a \in Attempts : LoseAnswer(a)
  \/ \E c \in Consumers : ComesAgain(c)
  \/ \E w \in Workers : AttemptFails(w) \/ ClaimEnds(w)

Next == Progress \/ Chance \/ Failure
Spec == Init /\ [][Next]_vars /\ WF_vars(Progress)

-----------------------------------------------------------------------------
(* PROPERTIES *)

Ends(types) == {i \in DOMAIN contractDb.outbox : contractDb.outbox[i].type \in types}

\* A final status never changes, in the row and for every reader. [I3]
FinalIsFinal == [][contractDb.status \in Final => contractDb'.status = contractDb.status]_vars
WhatWasReadStays == read # "a contradiction"

\* At most one end, published once. [F13, F15]
AtMostOneCompletion == Cardinality(Ends({"completed"})) <= 1
AtMostOneEnd == Cardinality(Ends({"completed", "expired", "cancelled"})) <= 1

\* [I2, I10]
OneSignatureAParty == \A s, t \in contractDb.signatures : PartyOf(s.attempt) = PartyOf(t.attempt) => s = t
\* Who cancels by a decline has not signed. [D57]
NoSignerDeclines ==
  \A i \in Ends({"cancelled"}) : PartyOf(contractDb.outbox[i].attempt) \notin Signers(contractDb.signatures)
NoneAfterExpiry == \A s \in contractDb.signatures : s.lockedAt = "before"

\* After its end, an attempt's entry is accepted if and only if its signature exists, and every signature has an attempt. [D41]
EvidenceIffSignature ==
  \A a \in Attempts :
    /\ Signed(a) => signingDb.attempts[a] \in {"submitted", "accepted"}
    /\ signingDb.attempts[a] = "accepted" => Signed(a) /\ <<"accepted", a>> \in signingDb.entries
    /\ <<"accepted", a>> \in signingDb.entries => Signed(a)
    /\ <<"refused", a>> \in signingDb.entries => ~Signed(a)
\* [D30]
ClosedChainIsWhole == signingDb.chain = "closed" => Accepted(signingDb) = {a \in Attempts : Signed(a)}

\* No person reads an outcome that is false, then or later. [I5]
NobodyIsMisled == \A a \in Attempts : (told[a] = "signed" => Signed(a)) /\ (told[a] = "not signed" => ~Signed(a))

\* A second copy exists only after a loss in the window between the 250 and Record. [I8, F8]
CopiesAreCounted == \A p \in Parties : copies[p] <= 1 + losses[p]
\* [I7]
NoMailOfNothing == making = "rolled back" => \A p \in Parties : copies[p] = 0
NoMailOfWhatIsFinal == \A w \in Workers : working[w].at # "sending what nobody wants"

\* Properties that become true after the last fault. [I8, D41, D30]
IsMailed(p) == Delivery(<<p, 1>>).state = "accepted" /\ copies[p] > 0
NoLostMail ==
  \A p \in Parties : (making = "made") ~> (IsMailed(p) \/ (Delivery(<<p, 1>>).state = "skipped" /\ ~IsWanted(p)))
EveryAttemptEnds == \A a \in Attempts : (signingDb.attempts[a] = "submitted") ~> (signingDb.attempts[a] # "submitted")
EverySignatureIsInTheChain == \A a \in Attempts : Signed(a) ~> (<<"accepted", a>> \in signingDb.entries)
EveryChainCloses == (contractDb.status \in Final) ~> (signingDb.chain = "closed")
=============================================================================
