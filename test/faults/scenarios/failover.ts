// The machine of Postgres is lost, and a streaming replica takes over. [F45]
import { MAILS_SENT_CONCURRENTLY } from '../soundness-of-mail.js'
import type { Scenario, Scene } from '../scenario.js'

const BACK_MS_MAX = 10_000

/** Fails over and records how long the server, and then the calls, were unavailable. */
async function failOver({ stack, workload, record, fail }: Scene, isSynchronous: boolean, before: () => Promise<void>) {
  const replica = await stack.startReplica({ isSynchronous })
  if (!isSynchronous) await replica.line.become('silent')
  await before()
  record('serverAwayMs', Math.round(await replica.failOver()))
  const promotedAt = performance.now()
  await stack.untilOperational()
  await workload.create(2)
  const backMs = Math.round(performance.now() - promotedAt)
  record('backAfterMs', backMs)
  if (backMs > BACK_MS_MAX) fail(`a contract was created only ${backMs} ms after the promotion`)
}

const common = {
  fault: 'F45',
  buses: ['postgres'],
  suite: { rounds: 1, scale: 2 },
  full: { rounds: 1, scale: 1 },
  own: {},
} as const

export const failoverSynchronous: Scenario = {
  ...common,
  name: 'failover-synchronous',
  done: 'Postgres with a synchronous replica (`synchronous_standby_names`) is killed under load, the replica is promoted and takes its address',
  holds: 'no acknowledged work is lost; calls succeed within 10 s of the promotion; no service process ends',
  clients: 4,
  async play(scene) {
    const { scaledMs, wait } = scene
    await failOver(scene, true, () => wait(scaledMs(10)))
  },
}

export const failoverAsynchronous: Scenario = {
  ...common,
  name: 'failover-asynchronous',
  // The suite has the synchronous one.
  suiteBuses: [],
  done: 'as failover-synchronous, with an asynchronous replica that has received nothing for ten seconds of work; no mail goes out meanwhile',
  holds:
    'exactly the work of these seconds is lost, in all databases alike: what was acknowledged before stays, every invariant holds, calls succeed within 10 s of the promotion',
  clients: 0,
  async play(scene) {
    const { stack, workload, scaledMs, wait, record, fail } = scene
    const kept = await workload.create(2)
    const acknowledged: string[] = []
    // Mails about lost contracts would be an effect without a row.
    stack.mailServer.answerWith(() => 451)
    await failOver(scene, false, async () => {
      const endsAt = performance.now() + scaledMs(10)
      // Without the test client, because the counts of these calls are lost too.
      while (performance.now() < endsAt) {
        const answer = await fetch(`${stack.stack.apiUrl}/contracts`, {
          method: 'POST',
          headers: { 'x-api-key': stack.demo.liveKey, 'content-type': 'application/json' },
          body: JSON.stringify({
            contractType: 'nda',
            content: 'Lost with the primary.',
            parties: ['a', 'b'].map((name) => ({ role: 'Party', legalName: name, email: `${name}.lost@example.test` })),
          }),
        })
        const body = (await answer.json()) as { contract?: { id: string } }
        if (answer.status === 201) acknowledged.push(body.contract!.id)
        await wait(100)
      }
    })
    stack.mailServer.answerWith(() => 'ok')
    const found = async (ids: readonly string[]) =>
      (await stack.query('contract', 'select from contract where id = any($1)', [ids])).length
    const lost = acknowledged.length - (await found(acknowledged))
    record('acknowledged', acknowledged.length)
    record('lost', lost)
    if (acknowledged.length === 0 || lost !== acknowledged.length) fail(`${lost} of ${acknowledged.length} were lost`)
    if ((await found([kept!.id])) !== 1) fail('a contract from before was lost')
    return { extraCopies: 1, totalCopies: MAILS_SENT_CONCURRENTLY }
  },
}
