// A flood of wrong codes from many addresses, on one share link and at the console. [F42, D16, P29, P30]
import { setTimeout as sleep } from 'node:timers/promises'
import { createVisitor, locationOf, type PageAnswer, type Visitor } from '../../harness/clients/ceremony-client.js'
import { until } from '../../harness/until.js'
import type { Scenario, Scene } from '../scenario.js'

/**
 * Each guesser has an address of its own and types every try of one challenge. After 100 wrong codes in a row the link asks for 12 digits,
 * so that the other 25 guesses have a wrong shape and do not count.
 */
const LINK_GUESSERS = 25
const LINK_WRONG = 100
/** 30 wrong codes are more than 20 on a day, and all count. */
const CONSOLE_GUESSERS = 6
const TRIES = 5

export const guessing: Scenario = {
  fault: 'F42',
  name: 'guessing',
  done: 'a flood of wrong codes from many addresses, on one share link and on one mailbox at the console, all at the same time',
  holds:
    'every other party signs and every other mailbox signs in meanwhile; each wrong code counts once; the evidence has one `code.locked`, the mailbox of the console gets one mail; the guessed person gets in by a longer code',
  buses: ['postgres'],
  suiteBuses: [],
  suite: { rounds: 1, scale: 1 },
  full: { rounds: 5, scale: 1 },
  clients: 2,
  async play(scene) {
    for (let round = 0; round < scene.rounds; round += 1) await playRound(scene, round)
  },
}

async function playRound(scene: Scene, round: number): Promise<void> {
  const { stack, workload, record, fail } = scene
  const contract = await workload.create(3)
  if (!contract) throw new Error('no contract was created')
  const { origin } = new URL(contract.shareUrl)
  const tag = `${contract.id.slice(-8).toLowerCase()}${round}`
  const [guessed, other] = [`guessed.${tag}@example.test`, `other.${tag}@example.test`]
  await stack.operator.gateway.account.create.mutate({ name: `Guessed ${round}`, email: guessed, tier: 'load' })
  const owner = createVisitor({ 'x-forwarded-for': '198.51.100.1' })
  if (!(await signIn(scene, owner, origin, guessed))) fail('the owner did not sign in before the flood')
  owner.cookies.delete('console')

  const statuses = new Map<number, number>()
  const guess = async (n: number, start: string, form: string | RegExp, email: string, page: RegExp, code: string) => {
    const visitor = createVisitor(
      { 'x-forwarded-for': `${start === contract.shareUrl ? '203.0.113' : '192.0.2'}.${n + 1}` },
      (answer) => {
        if (answer) statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      },
    )
    try {
      const asked = await patient(async () => visitor.submit(await visitor.get(start), form, { email }))
      const codePage = await visitor.follow(asked)
      for (let turn = 0; turn < TRIES; turn += 1) await patient(() => visitor.submit(codePage, page, { code }))
    } finally {
      visitor.close()
    }
  }
  const startedAt = performance.now()
  const flood = Promise.all([
    ...Array.from({ length: LINK_GUESSERS }, (_, n) =>
      guess(n, contract.shareUrl, '/code', contract.emails[0]!, /\/code\/[^/]+$/, '000000'),
    ),
    ...Array.from({ length: CONSOLE_GUESSERS }, (_, n) =>
      guess(n, `${origin}/console/sign-in`, '/sign-in', guessed, /\/sign-in\/[^/]+$/, '00000000'),
    ),
  ])
  const visitor = createVisitor({ 'x-forwarded-for': '198.51.100.2' })
  const [, one, two, isIn] = await Promise.all([
    flood,
    workload.sign(contract, 1),
    workload.sign(contract, 2),
    signIn(scene, visitor, origin, other),
  ])
  visitor.close()
  record(`floodMs${round}`, Math.round(performance.now() - startedAt))
  record(`statuses${round}`, [...statuses].map(([status, times]) => `${status}: ${times}`).join(', '))
  if (one !== 'signed' || two !== 'signed') fail(`the other parties ended with ${one} and ${two}`)
  if (!isIn) fail('another mailbox did not sign in at the console')
  const wrong = [...statuses.keys()].filter((status) => status >= 500 && status !== 503)
  if (wrong.length > 0) fail(`guesses were answered ${wrong.join()}`)

  const countOf = async (service: 'signing' | 'gateway', mailbox: string): Promise<string> => {
    const [row] = await stack.query<{ wrong: number; digits: number }>(
      service,
      'select wrong_in_row as wrong, code_digits as digits from mailbox_guard where mailbox = $1',
      [mailbox],
    )
    return `${row?.wrong} wrong, ${row?.digits} digits`
  }
  const counts = [await countOf('signing', contract.emails[0]!), await countOf('gateway', guessed)]
  const expected = [LINK_WRONG, CONSOLE_GUESSERS * TRIES].map((codes) => `${codes} wrong, 12 digits`)
  if (counts.join() !== expected.join()) fail(`the counts are ${counts.join()} and not ${expected.join()}`)
  const locks = async (): Promise<number> => {
    const rows = await stack.query(
      'signing',
      "select 1 from evidence_entry where contract_id = $1 and type = 'code.locked'",
      [contract.id],
    )
    return rows.length
  }
  await until('code.locked in the evidence', async () => ((await locks()) > 0 ? true : undefined))
  const acts = await stack.query('gateway', "select 1 from audit_entry where mailbox = $1 and act = 'code.locked'", [
    guessed,
  ])
  const warnings = () =>
    stack.mailServer
      .accepted()
      .filter(({ to, parsed }) => to[0] === guessed && parsed.subject?.startsWith('Wrong codes') === true).length
  await until('the mail about wrong codes', () => (warnings() > 0 ? true : undefined))
  if ((await locks()) !== 1 || acts.length !== 1 || warnings() !== 1)
    fail(`${await locks()} entries of evidence, ${acts.length} audit entries and ${warnings()} mails tell of the lock`)

  // The guessed party waited an hour; the guessed owner need not wait, in a browser where it signed in before.
  const shift = "set created_at = created_at - interval '1 hour', expires_at = expires_at - interval '1 hour'"
  await stack.query('signing', `update code_send ${shift} where mailbox = $1`, [contract.emails[0]!])
  await stack.query('gateway', `update code_send ${shift} where mailbox = $1 and is_known_browser`, [guessed])
  if ((await workload.sign(contract, 0)) !== 'signed') fail('the guessed party did not sign')
  if (!(await signIn(scene, owner, origin, guessed))) fail('the guessed owner did not sign in')
  owner.close()
}

/** Signs in at the console by the mailed code. */
export async function signIn({ stack }: Scene, visitor: Visitor, origin: string, email: string): Promise<boolean> {
  const before = stack.mailServer.codesTo(email).length
  const start = () => visitor.get(`${origin}/console/sign-in`)
  const asked = await patient(async () => visitor.submit(await start(), '/sign-in', { email }))
  const page = await visitor.follow(asked)
  const code = await until(`a code for ${email}`, () => stack.mailServer.codesTo(email).slice(before).at(-1), 30_000)
  const opened = await patient(() => visitor.submit(page, /\/sign-in\/[^/]+$/, { code }))
  return opened.status === 303 && locationOf(opened).startsWith(`${origin}/console`) && visitor.cookies.has('console')
}

/** Sends again after a 503, as its page asks a person to. */
async function patient(send: () => Promise<PageAnswer>): Promise<PageAnswer> {
  for (;;) {
    const answer = await send()
    if (answer.status !== 503) return answer
    await sleep(1_000 * Number(answer.headers.get('retry-after') ?? 1))
  }
}
