// The sample chain with entries of every type that the chain of a completed contract can have.
import { mailboxOf } from '@paraph/protocol/text-rules'
import type { ChainDisclosure } from '../src/chain/disclosures.js'
import { GENESIS, Personal, sha256Hex, type EntryData, type EntryType } from '../src/chain/entry.js'
import { writeLine } from './chain-line-fixture.js'
import { sampleChain, SAMPLE_PARTIES } from './evidence-fixture.js'

interface Parsed {
  seq: number
  at: string
  type: EntryType
  data: EntryData
}

/** Adds to the sample chain a sent code for each party, and 100 wrong codes and a refused signature for the first. */
export function everyEntryChain(): { lines: string[]; disclosures: ChainDisclosure[] } {
  const sample = sampleChain()
  const lines: string[] = []
  const disclosures: ChainDisclosure[] = []
  let prev = GENESIS
  let verified = 0
  const add = (at: string, type: EntryType, data: EntryData): number => {
    const seq = lines.length + 1
    const salt = () => sha256Hex(`added ${seq}`).slice(0, 32)
    const written = writeLine({ seq, type, at: new Date(at), data }, prev, salt)
    lines.push(written.line)
    disclosures.push(...written.disclosures.map((disclosure) => ({ seq, ...disclosure })))
    prev = written.hash
    return seq
  }
  for (const line of sample.lines) {
    const { seq: from, at, type, data } = JSON.parse(line) as Parsed
    if (type === 'code.verified') {
      const mailbox = new Personal(mailboxOf(SAMPLE_PARTIES[verified]!.email))
      add(at, 'code.sent', { codeId: `code-${verified}`, sentAt: at, mailbox })
      if (verified === 0) add(at, 'code.locked', { lockedAt: at, mailbox })
      verified += 1
    }
    if (type === 'signature.submitted' && data['partyIndex'] === 0) {
      const attempt = { partyIndex: 0, attemptId: 'attempt-refused' }
      add(at, 'signature.submitted', { ...data, ...attempt })
      add(at, 'signature.refused', { ...attempt, reason: 'given_up' })
      const addresses = { oldEmail: new Personal('jane@wrong.example'), email: new Personal(SAMPLE_PARTIES[0]!.email) }
      add(at, 'party.readdressed', { partyIndex: 0, readdressedAt: at, actor: 'owner', ...addresses })
      add(at, 'party.declined', { partyIndex: 0, declinedAt: at, reason: 'disagree' })
    }
    // `data` already holds commitments, so that the line discloses nothing new.
    const seq = add(at, type, data)
    disclosures.push(...sample.disclosures.filter((each) => each.seq === from).map((each) => ({ ...each, seq })))
  }
  return { lines, disclosures }
}
