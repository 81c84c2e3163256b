// Measures the cost of a POST: CPU time of the contract service with its relay and sweeps, against a bare Koa that writes the same rows by
// plain pg in one transaction. Both get the same rate, in alternating rounds; the medians count. [architecture: Hot paths]
// Run: npm run bench -- pipeline. BENCH_POSTS: contracts of a round. BENCH_ROUNDS: number of rounds.
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import { createTokenSigner } from '@paraph/rpc/service-token'
import { cpuMsOf, median, openStage, until } from './stage.mjs'

const POSTS = Number(process.env.BENCH_POSTS ?? 2_000)
const PER_SECOND = 150
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const BODY = JSON.stringify({
  contractType: 'nda',
  senderName: 'Nordic Foods procurement',
  content: 'The parties keep secrets secret. '.repeat(100),
  parties: ['Ada', 'Ben'].map((legalName) => ({
    role: 'Party',
    legalName,
    email: `${legalName.toLowerCase()}@example.test`,
  })),
})
const PRINCIPAL = {
  accountId: 'acc_1',
  environment: 'production',
  scopes: ['contracts:read', 'contracts:write'],
  account: {
    name: 'Nordic Foods Ltd.',
    senderName: 'Nordic Foods Ltd.',
    language: 'en',
    timeZone: 'UTC',
    replyAddress: null,
    cancelsOnDecline: false,
    remindsParties: true,
  },
}

const stage = await openStage()
try {
  const signer = createTokenSigner('gateway', stage.secrets.callerKeys.gateway.private)
  const service = await stage.start('contract')
  const barePort = stage.ports.signing
  const bare = stage.spawnNode(fileURLToPath(new URL('bare.mjs', import.meta.url)), {
    PORT: String(barePort),
    DATABASE_URL: stage.urlOf('contract', 'runtime'),
  })
  await until(async () => (await fetch(`http://127.0.0.1:${barePort}/`)).ok)
  const servers = [
    { name: 'bare Koa, plain pg', pid: bare.pid, port: barePort, cpu: [] },
    { name: 'contract service', pid: service.pid, port: stage.ports.contract, cpu: [] },
  ]
  let number = 0

  async function post(pool) {
    const answer = await pool.request({
      method: 'POST',
      path: '/contracts',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${await tokenOf()}`,
        'x-paraph-request-id': `bench-${(number += 1)}`,
      },
      body: BODY,
    })
    const text = await answer.body.text()
    if (answer.statusCode !== 201) throw new Error(`POST was answered with ${answer.statusCode}: ${text.slice(0, 200)}`)
  }

  let token = { text: '', atMs: -Infinity }
  async function tokenOf() {
    if (performance.now() - token.atMs > 30_000)
      token = { text: await signer.sign('contract', PRINCIPAL), atMs: performance.now() }
    return token.text
  }

  async function run({ port }, count) {
    const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 8 })
    const startedAt = performance.now()
    const answers = []
    while (answers.length < count) {
      while (answers.length < count && answers.length < ((performance.now() - startedAt) * PER_SECOND) / 1_000)
        answers.push(post(pool))
      await sleep(1)
    }
    await Promise.all(answers)
    await pool.close()
  }

  for (const server of servers) await run(server, Math.min(POSTS, 1_000))
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const server of servers) {
      // The service's relay must first publish the outbox rows that the other server wrote.
      await sleep(1_000)
      const before = cpuMsOf(server.pid)
      await run(server, POSTS)
      await sleep(500)
      server.cpu.push(((cpuMsOf(server.pid) - before) * 1_000) / POSTS)
    }
  }
  const [base] = servers
  process.stdout.write(`CPU per POST at ${PER_SECOND}/s, fsync on, ${POSTS} a round, ${ROUNDS} rounds\n`)
  for (const { name, cpu } of servers)
    process.stdout.write(
      `${name}: ${Math.round(median(cpu))} µs, ${(median(cpu) / median(base.cpu)).toFixed(2)} × (rounds ${cpu.map(Math.round).join(', ')})\n`,
    )
} finally {
  await stage.stop()
}
