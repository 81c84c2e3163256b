// Runs the code samples against a server that refuses, drops and fails. docs-samples.e2e.test.ts runs them against a real installation.
import { afterEach, describe, expect, it } from '@jest/globals'
import { runSample, startFaultyServer, type Answer, type Reaction, type Run } from '../../test/sample-runner-fixture.js'
import { CODE_LANGUAGES, type CodeLanguage, type SampleName } from './samples.js'

const LANGUAGES = CODE_LANGUAGES.map(({ id }) => id)
const DAYS_2 = 2 * 24 * 3_600

const json = (status: number, body: object, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})
const contract = (status: string): Answer =>
  json(200, { success: true, contract: { status, signingProgress: { signed: 0, total: 2 } } }, { etag: `"${status}"` })
const created = json(201, { success: true, contract: { id: 'contract-1', shareUrl: 'https://sign.test/contract/x' } })
const refusal = (status: number, code: string, headers?: Record<string, string>): Answer =>
  json(status, { error: 'No.', code, requestId: 'r' }, headers)
/** More seconds than a timer of Node can hold. */
const FOREVER = { 'retry-after': '2200000' }
const HTML: Answer = { status: 502, headers: { 'content-type': 'text/html' }, body: '<html>Bad Gateway</html>' }
const UNCHANGED: Answer = { status: 304, headers: { etag: '"pending_signature"' } }
/** What may pass: each of these is tried again. */
const TROUBLE: readonly Reaction[] = ['drop', { status: 503 }, HTML, refusal(429, 'rate_limited', FOREVER)]

const servers: { close: () => Promise<void> }[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

/** Runs a sample against `reactions`. @param isRefused whether its first attempts find a closed port */
async function runAgainst(
  reactions: readonly Reaction[],
  name: SampleName,
  language: CodeLanguage,
  { isRefused = false, files = {} } = {},
) {
  const server = await startFaultyServer(reactions)
  servers.push(server)
  if (!isRefused) await server.listen()
  const options = isRefused ? { onSleep: server.listen, realMs: 200 } : {}
  const run = await runSample(name, language, server.url, { ...options, files })
  return { ...run, requests: server.requests }
}

/** A pause below a second is a flood, and one above a minute loses the signature. */
function expectPatience({ sleeps }: Run): void {
  expect(Math.min(...sleeps)).toBeGreaterThanOrEqual(0.5)
  expect(Math.max(...sleeps)).toBeLessThanOrEqual(60)
}

describe.each(LANGUAGES)('in %s', (language) => {
  it('the sample `wait` survives refused and dropped connections and failing proxies, and waits at most a minute after each', async () => {
    const reactions = [...TROUBLE, contract('pending_signature'), UNCHANGED, ...TROUBLE, contract('signed')]
    const run = await runAgainst(reactions, 'wait', language, { isRefused: true })
    expect(run).toMatchObject({ code: 0, output: expect.stringContaining('signed') })
    expect(run.requests).toHaveLength(reactions.length)
    expectPatience(run)
    // curl sends an empty tag as long as it has none.
    const tags = run.requests.map(({ headers }) => headers['if-none-match']?.replace('""', '') ?? '')
    expect(tags.slice(0, 5)).toEqual(Array(5).fill(''))
    expect(tags.at(-1)).toBe('"pending_signature"')
  })

  it.each([
    refusal(401, 'invalid_key'),
    refusal(403, 'missing_scope'),
    refusal(404, 'not_found'),
    refusal(429, 'quota_exceeded', FOREVER),
  ])('the sample `wait` ends with the error that no wait will mend: %j', async (error) => {
    const run = await runAgainst([error], 'wait', language)
    expect(run.code).not.toBe(0)
    expect(run.output).toContain(error.body)
    expect([run.requests.length, run.sleeps]).toEqual([1, []])
  })

  // With a call an hour for the other 12 days, this makes 428.
  it('the sample `wait` costs at most 140 calls for a contract that nobody signs for 2 days', async () => {
    const reactions = [contract('pending_signature'), ...Array<Answer>(138).fill(UNCHANGED), contract('expired')]
    const run = await runAgainst(reactions, 'wait', language)
    expect(run).toMatchObject({ code: 0, output: expect.stringContaining('expired') })
    expect(run.requests).toHaveLength(140)
    expect(run.elapsedSeconds).toBeGreaterThan(DAYS_2)
    // One after the other while somebody is likely to sign.
    expect(run.sleeps.slice(0, 15)).toEqual(Array(15).fill(1))
    expect(run.sleeps.at(-1)).toBe(3_600)
  })

  it('the sample `wait` does not believe the file of an earlier run', async () => {
    const files = { 'contract-1795183380000-k3v9x2m1q.json': contract('signed').body!, 'contract.json': '"signed"' }
    const run = await runAgainst([contract('cancelled')], 'wait', language, { files })
    expect(run.requests).toHaveLength(1)
    expect(run.output).toContain('cancelled')
  })

  it('the sample `retry` repeats the same request until it is answered, and waits at most a minute after each', async () => {
    const run = await runAgainst([...TROUBLE, created], 'retry', language)
    expect(run).toMatchObject({ code: 0, output: expect.stringContaining('contract-1') })
    expect(run.requests).toHaveLength(5)
    expect(new Set(run.requests.map(({ headers, body }) => `${headers['idempotency-key']} ${body}`)).size).toBe(1)
    expectPatience(run)
  })

  it('the sample `retry` survives a service that is not there yet', async () => {
    const run = await runAgainst([created], 'retry', language, { isRefused: true })
    expect(run).toMatchObject({ code: 0, output: expect.stringContaining('contract-1') })
  })

  it.each([refusal(400, 'invalid_request'), refusal(429, 'quota_exceeded', FOREVER)])(
    'the sample `retry` ends with the error that no repetition will mend: %j',
    async (error) => {
      const run = await runAgainst([error], 'retry', language)
      expect(run.code).not.toBe(0)
      expect(run.output).toContain(error.body)
      expect([run.requests.length, run.sleeps]).toEqual([1, []])
    },
  )
})

const ONCE: readonly (readonly [SampleName, readonly CodeLanguage[]])[] = [
  ['first-key', ['curl']],
  ['first-contract', ['curl']],
  ['first-look', ['curl']],
  ['create-contract', LANGUAGES],
  ['get-contract', LANGUAGES],
  ['get-usage', LANGUAGES],
  ['get-status', LANGUAGES],
]

it.each(ONCE)(
  'the sample `%s`, which asks once, fails with the status and the body of whatever answered',
  async (name, languages) => {
    const files = { 'contract.json': 'contract-1795183380000-k3v9x2m1q' }
    for (const language of languages) {
      for (const answer of [HTML, refusal(429, 'rate_limited', FOREVER)]) {
        const run = await runAgainst([answer], name, language, { files })
        expect([language, run.code === 0, run.output]).toEqual([language, false, expect.stringContaining(answer.body!)])
        expect(run.output).toContain(String(answer.status))
      }
      const dropped = await runAgainst(['drop'], name, language, { files })
      expect([language, dropped.code === 0]).toEqual([language, false])
    }
  },
)
