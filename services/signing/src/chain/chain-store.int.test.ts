import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { withClient } from '@paraph/database/provision'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { openCeremonyFixture, type CeremonyFixture } from '../../test/ceremony-fixture.js'
import type { ContractView } from '../clients/contract.js'
import { writeLine } from '../../test/chain-line-fixture.js'
import { append, openChain } from './chain-store.js'
import { GENESIS, Personal, type EntryData, type EntryType } from './entry.js'

let fixture: CeremonyFixture
let view: ContractView
beforeAll(async () => {
  fixture = await openCeremonyFixture()
  view = await fixture.createContract()
  await fixture.database.transaction().execute((trx) => openChain(trx, view))
})
afterAll(() => fixture.close())

const add = (data: Parameters<typeof append>[3]) =>
  fixture.database.transaction().execute((trx) => append(trx, view.contractId, 'text.shown', data))

async function linesOf(contractId: string): Promise<string[]> {
  const rows = await fixture.database
    .selectFrom('evidence_entry')
    .select('line')
    .where('contract_id', '=', contractId)
    .orderBy('seq')
    .execute()
  return rows.map(({ line }) => line)
}

/** The output of `script` in a POSIX shell, with `input` as its standard input. */
async function shell(script: string, input: string): Promise<string> {
  const child = spawn('sh', ['-euc', script], { stdio: ['pipe', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => void (said += chunk))
  child.stdin.end(input)
  await once(child, 'close')
  return said.trim()
}

/** Every line has the hash of the previous line without its newline; the first has 64 zeros. */
const VERIFY = `
  prev=$(printf '%064d' 0)
  seq=0
  while IFS= read -r line; do
    seq=$((seq + 1))
    case $line in *"\\"prev\\":\\"$prev\\",\\"seq\\":$seq,\\"type\\":"*) ;; *) echo "line $seq is not linked"; exit 1 ;; esac
    prev=$(printf '%s' "$line" | sha256sum | cut -d ' ' -f 1)
  done
  [ -z "$line" ] || { echo 'the last line does not end'; exit 1; }
  echo "$seq lines"`

it('a chain exported as JSON Lines can be checked line by line with sha256sum and a shell alone [D30]', async () => {
  await add({ typedName: new Personal("Hélène O’Côté \\n $(x) 'q' \u202e"), note: 'back\\slash "quote" \u0007 é' })
  await add({ n: 1 })
  const lines = await linesOf(view.contractId)
  const exported = lines.map((line) => `${line}\n`).join('')
  expect(await shell(VERIFY, exported)).toBe(`${lines.length} lines`)
  expect(await shell(VERIFY, exported.replace('back', 'BACK'))).toBe('line 3 is not linked')
  expect(await shell(VERIFY, exported.slice(exported.indexOf('\n') + 1))).toBe('line 1 is not linked')
  expect(await shell(VERIFY, exported.slice(0, -1))).toBe('the last line does not end')
})

it('every line is the canonical form of its entry, and the chain has the hash of the last one [D30, RFC 8785]', async () => {
  await add({ z: '\u0000 " \\ %s é', a: 1, b: [{ y: 2, x: 'ß' }] })
  const lines = await linesOf(view.contractId)
  let prev = GENESIS
  for (const line of lines) {
    const { seq, type, at, data } = JSON.parse(line) as { seq: number; type: EntryType; at: string; data: EntryData }
    const written = writeLine({ seq, type, at: new Date(at), data }, prev, () => '')
    expect(line).toBe(written.line)
    if (seq === lines.length)
      expect(line).toBe(
        `{"at":"${at}","data":{"a":1,"b":[{"x":"ß","y":2}],"z":"\\u0000 \\" \\\\ %s é"},"prev":"${prev}","seq":${seq},"type":"text.shown"}`,
      )
    prev = written.hash
  }
  const { hash } = await fixture.database
    .selectFrom('evidence_chain')
    .select('hash')
    .where('contract_id', '=', view.contractId)
    .executeTakeFirstOrThrow()
  expect(hash).toBe(prev)
})

it('every commitment of a chain can be checked with printf and sha256sum [D30]', async () => {
  const openings = await fixture.database
    .selectFrom('evidence_opening')
    .selectAll()
    .where('contract_id', '=', view.contractId)
    .execute()
  expect(openings.length).toBeGreaterThan(6)
  expectWithMessage(new Set(openings.map(({ salt }) => salt)).size, 'a salt per value').toBe(openings.length)
  const lines = await linesOf(view.contractId)
  for (const { seq, path, salt, value } of openings) {
    const { data } = JSON.parse(lines[seq - 1]!) as { data: Record<string, unknown> }
    const commitment = path.split('.').reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], data)
    const opened = await shell(
      `printf '%s:%s' ${salt} "$(cat; printf x)" | sed '$ s/x$//' | sha256sum | cut -d ' ' -f 1`,
      value,
    )
    expectWithMessage(opened, path).toBe(commitment)
    expectWithMessage(lines[seq - 1], path).not.toContain(value)
  }
})

it('a chain cannot be changed or shortened by the owner of the tables, and does not grow once it is closed [D30]', async () => {
  const before = await linesOf(view.contractId)
  await withClient(fixture.clone.ownerUrl, async (owner) => {
    for (const statement of [
      "update evidence_entry set line = ''",
      'delete from evidence_entry',
      'truncate evidence_entry cascade',
      'delete from evidence_chain',
      'truncate evidence_chain cascade',
      'update evidence_chain set seq = seq - 1',
      "update evidence_chain set hash = ''",
    ]) {
      await expectWithMessage(owner.query(statement), statement).rejects.toThrow('evidence is append-only')
    }
  })
  expect(await linesOf(view.contractId)).toEqual(before)

  const over = await fixture.createContract()
  await fixture.database.transaction().execute(async (trx) => {
    await openChain(trx, over)
    await append(trx, over.contractId, 'contract.cancelled', {})
  })
  await withClient(fixture.clone.ownerUrl, async (owner) => {
    const reopen = 'update evidence_chain set closed_at = null, seq = seq + 1 where contract_id = $1'
    await expect(owner.query(reopen, [over.contractId])).rejects.toThrow('evidence is append-only')
  })
})

it('no entry of a chain is dated before its predecessor, even when the clock is set back [D30]', async () => {
  const later = new Date(Date.now() + 3_600_000)
  await withClient(fixture.clone.adminUrl, async (admin) => {
    // Simulates an entry from before the clock was set back. Triggers are disabled for this session only.
    await admin.query('set session_replication_role = replica')
    await admin.query('update evidence_chain set newest_at = $1 where contract_id = $2', [later, view.contractId])
  })
  await add({ n: 2 })
  expect(JSON.parse((await linesOf(view.contractId)).at(-1)!)).toMatchObject({ at: later.toISOString() })
})
