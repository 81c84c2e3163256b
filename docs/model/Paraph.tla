------------------------------- MODULE Paraph -------------------------------
(* One contract of Paraph: made, signed, cancelled or expired; its events, its evidence and its mails, while processes crash,
   answers get lost and messages come again. README.md says which file of the code does each action, and what is left out.

   What a crash takes away is told apart by the variables: the three databases and the bus stay; calls, open transactions and
   what a process is at are gone. A transaction of a database is one step, except where its row lock and its clock matter.

   `Broken` names the one rule of the design that a variant leaves out; "nothing" is the design itself. *)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
  Parties,      \* such as {1, 2}
  Browsers,     \* 0: nobody signs; 1: every party signs in one browser; 2: the first one tries in two at once
  Workers,      \* mail workers; with none the mails are left out
  HasReader,    \* TRUE: a client reads the contract's status all the time
  MaxFaults,    \* crashes, losses and repetitions in all: what is promised for "once the faults are over" needs an end of them
  Broken

VARIABLES
  making,         \* the POST's transaction: "not yet", "open", "made", "rolled back"
  clock,          \* the database's: "before" the contract's expiresAt, or "over" from that instant on
  contractDb,     \* [status, signatures, tombstones, outbox, published]
  transactions,   \* those that hold the contract's row, with what they found
  calls,          \* to sign, on their way to the contract service; they may arrive late
  signingDb,      \* [attempts, chain, entries, inbox, tasks, dead]
  asking,         \* per attempt, the person's request: "no", "asking", and the answer "recorded" or "refused"
  sweeping,       \* per attempt, the sweeper's question: "no", "recorded", "refused"
  bus,            \* the topic: a sequence of events
  position,       \* per consumer: how many messages of the bus are behind it
  notificationDb, \* [inbox, deliveries]
  working,        \* per mail worker: what it is at, and for which delivery
  copies,         \* per party: invitations that the mail server took
  losses,         \* per party: crashes and losses between the mail server's 250 and the commit that records it
  told,           \* per attempt: what the person has read
  read,           \* what the client has read: "nothing final", a final status, or "a contradiction"
  jobs,           \* only in the variant CompleteByJob: jobs that have looked and will write
  faults          \* so far

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
\* The second of a party is only made where nothing forbids it.
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

\* What a reader finds: at or after expiresAt an open contract is expired, swept or not. [D20]
StatusNow == IF IsOpen(contractDb.status) /\ clock = "over" THEN "expired" ELSE contractDb.status
\* Who would say "expired" by the clock alone waits for a signature that was decided in time and is being committed. [D20]
CanRead == StatusNow = contractDb.status \/ transactions = {} \/ Broken = "ReadWithoutWaiting"

BeginPost ==
  /\ making = "not yet" /\ making' = "open"
  /\ contractDb' = IF Broken = "TellBeforeCommit" THEN [contractDb EXCEPT !.outbox = <<Event("created")>>] ELSE contractDb
  /\ NoFault /\ UNCHANGED <<clock, read, jobs, transactions, calls, signing, pipe, mail>>

\* The contract and its event commit together, or neither. [I7]
CommitPost ==
  /\ making = "open" /\ making' = IF Broken = "TellAfterCommit" THEN "made, not told" ELSE "made"
  /\ contractDb' = IF Broken = "TellAfterCommit" THEN contractDb ELSE [contractDb EXCEPT !.outbox = <<Event("created")>>]
  /\ NoFault /\ UNCHANGED <<clock, read, jobs, transactions, calls, signing, pipe, mail>>

\* Only in the variant TellAfterCommit: the event is written next, unless the process dies first.
TellPost ==
  /\ making = "made, not told" /\ making' = "made"
  /\ \/ contractDb' = [contractDb EXCEPT !.outbox = <<Event("created")>>] /\ NoFault
     \/ UNCHANGED contractDb /\ Fault
  /\ UNCHANGED <<clock, read, jobs, transactions, calls, signing, pipe, mail>>

\* A transaction that has got the contract's row, and what it then found there. [States and transitions, D20]
Holding(kind, attempt, clockRead) ==
  [kind |-> kind, attempt |-> attempt, clock |-> clockRead, lockedAt |-> clock, status |-> contractDb.status,
   signatures |-> contractDb.signatures]
CanLock == making = "made" /\ (transactions = {} \/ Broken = "NoRowLock")

\* The clock is read when the row is held, not when the call came. [D20]
BeginSign(call) ==
  /\ CanLock /\ call \in calls /\ calls' = calls \ {call}
  /\ transactions' = transactions \cup
       {Holding("sign", call.attempt, IF Broken = "ClockBeforeLock" THEN call.clock ELSE clock)}
  /\ NoFault /\ UNCHANGED <<post, contractDb, signing, pipe, mail>>

BeginCancel ==
  /\ CanLock /\ IsOpen(StatusNow)
  /\ transactions' = transactions \cup {Holding("cancel", <<0, 0>>, clock)}
  /\ NoFault /\ UNCHANGED <<post, contractDb, calls, signing, pipe, mail>>

\* What `decide` says of a sign.
IsRecorded(t) == \E s \in t.signatures : s.attempt = t.attempt
HasSigned(t) == IF Broken = "OneSignatureAnAttempt" THEN IsRecorded(t) ELSE PartyOf(t.attempt) \in Signers(t.signatures)
MaySign(t) == ~HasSigned(t) /\ IsOpen(t.status) /\ t.clock = "before" /\ t.attempt \notin contractDb.tombstones

\* Signature, state and events of one decision in one transaction. The last signature completes the contract right there.
AfterSign(t) ==
  LET signatures == t.signatures \cup {[attempt |-> t.attempt, lockedAt |-> t.lockedAt]}
      isLast == Signers(signatures) = Parties /\ Broken # "CompleteByJob"
  IN [contractDb EXCEPT
        !.signatures = @ \cup signatures,
        !.status = IF isLast THEN "signed" ELSE "partially_signed",
        !.outbox = @ \o <<SignedEvent(t.attempt)>> \o (IF isLast THEN <<Event("completed")>> ELSE <<>>)]
Ended(status) == [contractDb EXCEPT !.status = status, !.outbox = Append(@, Event(status))]

CommitSign(t) ==
  /\ t \in transactions /\ t.kind = "sign" /\ transactions' = transactions \ {t}
  /\ contractDb' = IF MaySign(t) THEN AfterSign(t) ELSE contractDb
  /\ asking' = IF asking[t.attempt] # "asking" THEN asking
               ELSE [asking EXCEPT ![t.attempt] = IF MaySign(t) \/ IsRecorded(t) THEN "recorded" ELSE "refused"]
  /\ NoFault /\ UNCHANGED <<post, calls, signingDb, sweeping, told, pipe, mail>>

CommitCancel(t) ==
  /\ t \in transactions /\ t.kind = "cancel" /\ transactions' = transactions \ {t}
  /\ contractDb' = IF IsOpen(t.status) /\ t.clock = "before" THEN Ended("cancelled") ELSE contractDb
  /\ NoFault /\ UNCHANGED <<post, calls, signing, pipe, mail>>

\* The expiry sweep. It may be late, asleep or dead: nothing that is read or decided depends on it.
Expire ==
  /\ CanLock /\ IsOpen(contractDb.status) /\ clock = "over"
  /\ contractDb' = Ended("expired")
  /\ NoFault /\ UNCHANGED <<post, transactions, calls, signing, pipe, mail>>

\* Only in the variant CompleteByJob: jobs complete what they find fully signed, some time after they have looked.
JobLooks ==
  /\ Broken = "CompleteByJob" /\ jobs < 2 /\ IsOpen(contractDb.status) /\ Signers(contractDb.signatures) = Parties
  /\ jobs' = jobs + 1 /\ NoFault /\ UNCHANGED <<making, clock, read, contract, signing, pipe, mail>>
JobCompletes ==
  /\ jobs > 0 /\ jobs' = jobs - 1
  /\ contractDb' = [contractDb EXCEPT !.status = "signed", !.outbox = Append(@, Event("completed"))]
  /\ NoFault /\ UNCHANGED <<making, clock, read, transactions, calls, signing, pipe, mail>>

\* Open transactions roll back; calls end without an answer.
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
\* A closed chain takes no entry any more.
AddEntry(db, kind, a) == IF db.chain = "open" THEN [db EXCEPT !.entries = @ \cup {<<kind, a>>}] ELSE db
Note(db, a) == AddEntry([OpenChain(db) EXCEPT !.attempts[a] = "submitted"], "submitted", a)

\* The compare-and-set that reply, event and sweeper all come to: the first wins, with its entry, in one transaction. [D41]
Settle(db, a, outcome) ==
  IF db.attempts[a] # "submitted" THEN db ELSE AddEntry([db EXCEPT !.attempts[a] = outcome], outcome, a)
StateOf(answer) == IF answer = "recorded" THEN "accepted" ELSE "refused"

SignCall(a) == [attempt |-> a, clock |-> IF Broken = "ClockBeforeLock" THEN clock ELSE "not read"]

\* The attempt is noted before anybody is asked. The process may die in between. [D41]
Submit(a) ==
  /\ making = "made" /\ signingDb.attempts[a] = "none" /\ told[a] = "nothing" /\ asking[a] = "no"
  /\ signingDb' = IF Broken = "AskBeforeNoting" THEN signingDb ELSE Note(signingDb, a)
  /\ \/ asking' = [asking EXCEPT ![a] = "asking"] /\ calls' = calls \cup {SignCall(a)} /\ UNCHANGED told /\ NoFault
     \/ told' = [told EXCEPT ![a] = "unknown"] /\ UNCHANGED <<asking, calls>> /\ Fault
  /\ UNCHANGED <<post, contractDb, transactions, sweeping, pipe, mail>>

\* The person learns the answer, also where it cannot be noted here just now.
TakeAnswer(a) ==
  /\ asking[a] \in {"recorded", "refused"} /\ asking' = [asking EXCEPT ![a] = "no"]
  /\ told' = [told EXCEPT ![a] = IF asking[a] = "recorded" THEN "signed" ELSE "not signed"]
  /\ \/ /\ signingDb' = Settle(IF signingDb.attempts[a] = "none" THEN Note(signingDb, a) ELSE signingDb, a, StateOf(asking[a]))
        /\ NoFault
     \/ UNCHANGED signingDb /\ Fault
  /\ UNCHANGED <<post, contract, sweeping, pipe, mail>>

\* The process dies, or the answer takes too long; the call itself may still arrive.
LoseAnswer(a) ==
  /\ Fault /\ asking[a] # "no" /\ asking' = [asking EXCEPT ![a] = "no"]
  /\ told' = [told EXCEPT ![a] = IF Broken = "RefusedIfUnanswered" THEN "not signed" ELSE "unknown"]
  /\ UNCHANGED <<post, contract, signingDb, sweeping, pipe, mail>>

\* Who does not know opens the link again, and signs again where that is not settled: with the same attempt.
TryAgain(a) ==
  /\ told[a] = "unknown" /\ asking[a] = "no" /\ signingDb.attempts[a] # "none"
  /\ IF signingDb.attempts[a] = "submitted"
       THEN asking' = [asking EXCEPT ![a] = "asking"] /\ calls' = calls \cup {SignCall(a)} /\ UNCHANGED told
       ELSE /\ told' = [told EXCEPT ![a] = IF signingDb.attempts[a] = "accepted" THEN "signed" ELSE "not signed"]
            /\ UNCHANGED <<asking, calls>>
  /\ NoFault /\ UNCHANGED <<post, contractDb, transactions, signingDb, sweeping, pipe, mail>>

\* How did this attempt end? Recorded, or given up for good: a late sign of a tombstoned attempt is refused. [D41]
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

\* A chain is closed only when it holds every signature that stands, by the contract service's word. [D30]
Accepted(db) == {a \in Attempts : <<"accepted", a>> \in db.entries}
IsTold(db) == Cardinality(Accepted(db)) = Cardinality(contractDb.signatures) \/ Broken = "CloseWithoutLooking"
\* The rest of the attempts are refused: what is final takes no signature. Their entries are the last but one.
Close(db) ==
  LET rest == {a \in Attempts : db.attempts[a] = "submitted"}
  IN IF db.chain = "closed" THEN db
     ELSE [db EXCEPT !.chain = "closed", !.entries = @ \cup {<<"refused", a>> : a \in rest},
                     !.attempts = [a \in Attempts |-> IF a \in rest THEN "refused" ELSE @[a]]]

\* The oldest evidence task of the contract. One that cannot be done yet is tried again.
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

\* The next row is published and then marked. Where the relay dies in between, it is published again. [D48]
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

\* Five failures of the handler: the message is kept and the next one handled. An operator hands it over again. [D49]
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

\* Nobody is invited to what is final, nor to what they have signed.
IsWanted(p) == IsOpen(StatusNow) /\ p \notin Signers(contractDb.signatures)

\* A worker claims a delivery and asks for the facts of this moment. What is not wanted any more is skipped. [D49]
Take(w, d) ==
  /\ working[w].at = "nothing" /\ Delivery(d).state = "due" /\ Delivery(d).claim = Nobody /\ CanRead
  /\ IF IsWanted(d[1]) \/ Broken = "FactsOfTheEvent"
       THEN /\ notificationDb' = [notificationDb EXCEPT !.deliveries[d].claim = w]
            /\ working' = [working EXCEPT ![w] =
                 [at |-> IF IsWanted(d[1]) THEN "sending" ELSE "sending what nobody wants", delivery |-> d]]
       ELSE /\ notificationDb' = [notificationDb EXCEPT !.deliveries[d].state = "skipped"]
            /\ UNCHANGED working
  /\ NoFault /\ UNCHANGED <<post, contract, signing, pipe, copies, losses>>

\* The mail server's 250. Between it and Record lies the one window that SMTP leaves open. [F8]
ServerAccepts(w) ==
  /\ working[w].at \notin {"nothing", "recording"} /\ working' = [working EXCEPT ![w].at = "recording"]
  /\ copies' = [copies EXCEPT ![working[w].delivery[1]] = @ + 1]
  /\ NoFault /\ UNCHANGED <<post, contract, signing, pipe, notificationDb, losses>>

\* Only who still holds the claim may end a delivery.
Record(w) ==
  /\ working[w].at = "recording" /\ Leave(w)
  /\ notificationDb' = IF Delivery(working[w].delivery).claim # w THEN notificationDb
                       ELSE [notificationDb EXCEPT !.deliveries[working[w].delivery] = [state |-> "accepted", claim |-> Nobody]]
  /\ NoFault /\ UNCHANGED <<post, contract, signing, pipe, copies, losses>>

\* The worker dies or the server puts the mail off; the claim ends and the delivery is due again. After the 250 that makes a copy.
AttemptFails(w) ==
  /\ Fault /\ working[w].at # "nothing" /\ Leave(w) /\ DueAgain(w)
  /\ losses' = IF working[w].at = "recording" THEN [losses EXCEPT ![working[w].delivery[1]] = @ + 1] ELSE losses
  /\ UNCHANGED <<post, contract, signing, pipe, copies>>

\* Only in the variant ClaimEndsTooSoon: the claim ends while its worker lives and goes on.
ClaimEnds(w) ==
  /\ Broken = "ClaimEndsTooSoon" /\ working[w].at = "sending" /\ DueAgain(w)
  /\ NoFault /\ UNCHANGED <<post, contract, signing, pipe, working, copies, losses>>

-----------------------------------------------------------------------------
(* ALL TOGETHER *)

\* What goes on by itself. People, owners, readers and the clock may also do nothing for ever.
Progress ==
  \/ BeginPost \/ CommitPost \/ TellPost \/ Expire \/ JobLooks \/ JobCompletes
  \/ \E call \in calls : BeginSign(call)
  \/ \E t \in transactions : CommitSign(t) \/ CommitCancel(t)
  \/ \E a \in Attempts : TakeAnswer(a) \/ SweeperAsks(a) \/ SweeperSettles(a)
  \/ DoTask \/ Relay \/ Redrive
  \/ \E c \in Consumers : Consume(c)
  \/ \E w \in Workers : ServerAccepts(w) \/ Record(w) \/ \E d \in Deliveries : Take(w, d)

Chance ==
  \/ BeginCancel \/ TimeIsOver \/ Read
  \/ \E a \in Attempts : Submit(a) \/ TryAgain(a)

Failure ==
  \/ ContractServiceCrashes \/ BecomesDeadLetter
  \/ \E a \in Attempts : LoseAnswer(a)
  \/ \E c \in Consumers : ComesAgain(c)
  \/ \E w \in Workers : AttemptFails(w) \/ ClaimEnds(w)

Next == Progress \/ Chance \/ Failure
Spec == Init /\ [][Next]_vars /\ WF_vars(Progress)

-----------------------------------------------------------------------------
(* WHAT MUST HOLD *)

Ends(types) == {i \in DOMAIN contractDb.outbox : contractDb.outbox[i].type \in types}

\* Final is final: in the row, and for whoever has read it. [I3]
FinalIsFinal == [][contractDb.status \in Final => contractDb'.status = contractDb.status]_vars
WhatWasReadStays == read # "a contradiction"

\* One end at most, told once. [F13, F15]
AtMostOneCompletion == Cardinality(Ends({"completed"})) <= 1
AtMostOneEnd == Cardinality(Ends({"completed", "expired", "cancelled"})) <= 1

\* [I2, I10]
OneSignatureAParty == \A s, t \in contractDb.signatures : PartyOf(s.attempt) = PartyOf(t.attempt) => s = t
NoneAfterExpiry == \A s \in contractDb.signatures : s.lockedAt = "before"

\* Once an attempt has ended, its entry says accepted if and only if its signature stands, and no signature lacks an attempt. [D41]
EvidenceIffSignature ==
  \A a \in Attempts :
    /\ Signed(a) => signingDb.attempts[a] \in {"submitted", "accepted"}
    /\ signingDb.attempts[a] = "accepted" => Signed(a) /\ <<"accepted", a>> \in signingDb.entries
    /\ <<"accepted", a>> \in signingDb.entries => Signed(a)
    /\ <<"refused", a>> \in signingDb.entries => ~Signed(a)
\* [D30]
ClosedChainIsWhole == signingDb.chain = "closed" => Accepted(signingDb) = {a \in Attempts : Signed(a)}

\* Nobody reads what is not so, then or later. [I5]
NobodyIsMisled == \A a \in Attempts : (told[a] = "signed" => Signed(a)) /\ (told[a] = "not signed" => ~Signed(a))

\* There is a second copy only for a loss in the one window that SMTP leaves open. [I8, F8]
CopiesAreCounted == \A p \in Parties : copies[p] <= 1 + losses[p]
\* [I7]
NoMailOfNothing == making = "rolled back" => \A p \in Parties : copies[p] = 0
NoMailOfWhatIsFinal == \A w \in Workers : working[w].at # "sending what nobody wants"

\* What comes true once the faults are over. [I8, D41, D30]
IsMailed(p) == Delivery(<<p, 1>>).state = "accepted" /\ copies[p] > 0
NoLostMail ==
  \A p \in Parties : (making = "made") ~> (IsMailed(p) \/ (Delivery(<<p, 1>>).state = "skipped" /\ ~IsWanted(p)))
EveryAttemptEnds == \A a \in Attempts : (signingDb.attempts[a] = "submitted") ~> (signingDb.attempts[a] # "submitted")
EverySignatureIsInTheChain == \A a \in Attempts : Signed(a) ~> (<<"accepted", a>> \in signingDb.entries)
EveryChainCloses == (contractDb.status \in Final) ~> (signingDb.chain = "closed")
=============================================================================
