// Starts the built service as an operator does: without usable keys it exits. [D15, D30]
import { spawn } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { sampleSettings } from '../test/evidence-fixture.js'

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url))
/** An address on which nothing listens: a start does not wait for databases or other services. */
const UNUSED_ADDRESS = '127.0.0.1:9'
const CANARY = 'canary-4711'

const pair = generateKeyPairSync('ed25519')
const keyring = () => `k1:${randomBytes(32).toString('base64')}`
const isGiven = (entry: [string, string | undefined]): entry is [string, string] => entry[1] !== undefined

/** Complete settings for production, with the sample keys. */
const COMPLETE: Readonly<Record<string, string>> = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PORT: '0',
  INTERNAL_PORT: '0',
  DATABASE_URL: `postgres://signing_runtime:${CANARY}@${UNUSED_ADDRESS}/signing`,
  DATABASE_DIRECT_URL: `postgres://signing_runtime:${CANARY}@${UNUSED_ADDRESS}/signing`,
  BUS_DATABASE_URL: `postgres://signing_runtime:${CANARY}@${UNUSED_ADDRESS}/bus`,
  CALLER_PRIVATE_KEY: pair.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  CALLER_PUBLIC_KEYS: JSON.stringify({
    gateway: [pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')],
  }),
  CONTRACT_URL: `http://${UNUSED_ADDRESS}`,
  NOTIFICATION_URL: `http://${UNUSED_ADDRESS}`,
  SHARE_BASE_URL: 'https://sign.example.com',
  CODE_PEPPERS: keyring(),
  CODE_KEYS: keyring(),
  PAGE_SECRET: randomBytes(32).toString('base64'),
  ...Object.fromEntries(Object.entries(sampleSettings()).filter(isGiven)),
}

/** Starts the service with the complete settings and these changes; stops it when it reports that it is ready. */
async function start(changes: Record<string, string | undefined>): Promise<{ code: number | null; output: string }> {
  const settings = Object.fromEntries(Object.entries({ ...COMPLETE, ...changes }).filter(isGiven))
  const env = { ...settings, PATH: process.env['PATH'] ?? '' }
  const child = spawn(process.execPath, [MAIN], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 30_000,
    killSignal: 'SIGKILL',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('"ready"')) child.kill('SIGKILL')
    })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

/** The values of all settings with secrets, except short lines, which messages may contain by chance. */
const VALUES = Object.entries(COMPLETE).flatMap(([name, value]) =>
  /KEY|P12|PEPPERS|SECRET|DATABASE/.test(name) ? value.split('\n').filter((line) => line.length >= 20) : [],
)

beforeAll(() => {
  if (!existsSync(MAIN)) throw new Error('There is no build: npm run build.')
})

describe('the signing service in production [D15, D30]', () => {
  it('starts with all of its settings', async () => {
    const { code, output } = await start({})
    expect(output).toContain('"ready"')
    expect(code).toBe(null)
  })

  const none = { SEAL_KEY: undefined, SEAL_CERTIFICATE: undefined }
  const noneOfSandbox = { SANDBOX_SEAL_P12: undefined }
  it.each<[string, Record<string, string | undefined>, string[]]>([
    ['its evidence key', { EVIDENCE_KEY: undefined }, ['EVIDENCE_KEY']],
    ['the evidence key of the sandbox', { SANDBOX_EVIDENCE_KEY: undefined }, ['SANDBOX_EVIDENCE_KEY']],
    ['its sealing key', none, ['SEAL_KEY or SEAL_P12']],
    ['the sealing key of the sandbox', noneOfSandbox, ['SANDBOX_SEAL_KEY or SANDBOX_SEAL_P12']],
    [
      'any evidence key',
      { EVIDENCE_KEY: undefined, SANDBOX_EVIDENCE_KEY: '' },
      ['EVIDENCE_KEY', 'SANDBOX_EVIDENCE_KEY'],
    ],
    [
      'any sealing key',
      { ...none, ...noneOfSandbox },
      ['SEAL_KEY or SEAL_P12', 'SANDBOX_SEAL_KEY or SANDBOX_SEAL_P12'],
    ],
  ])('refuses to start without %s, and names the setting without its value', async (_what, changes, names) => {
    await expectRefusal(changes, names)
  })

  it('refuses to start with plain text to another machine, unless a setting allows it [P39]', async () => {
    const changes = {
      SHARE_BASE_URL: 'http://sign.example.com',
      DATABASE_URL: `postgres://signing_runtime:${CANARY}@db.example.invalid/signing`,
    }
    await expectRefusal(changes, ['DATABASE_URL', 'SHARE_BASE_URL'])
    expect((await start({ ...changes, ALLOW_INSECURE_TRANSPORT: 'yes' })).output).toContain('"ready"')
  })

  it.each([
    ['no object store for its documents', { DOCUMENT_STORE: 's3' }],
    ['an object store without a bucket', { OBJECT_STORE_URL: `https://key:${CANARY}@store.example.com` }],
    ['a secret that breaks the URL', { OBJECT_STORE_URL: `https://key:${CANARY}/x@store.example.com/bucket` }],
    ['an object store by plain text', { OBJECT_STORE_URL: `http://key:${CANARY}@store.example.invalid/bucket` }],
  ])('refuses to start with %s, and prints no part of the URL [P43, P39]', async (_what, changes) => {
    await expectRefusal(changes, ['OBJECT_STORE_URL'])
  })

  const [begin, , end] = COMPLETE['EVIDENCE_KEY']!.split('\n')
  it.each([
    ['not a key', CANARY],
    ['a broken key', `${begin}\n${Buffer.from(CANARY).toString('base64')}\n${end}\n`],
    ['a file name', `/run/secrets/${CANARY}`],
    ['the sealing key', COMPLETE['SEAL_KEY']!],
  ])('refuses to start when its evidence key is %s, and prints no part of the value', async (_what, value) => {
    const output = await expectRefusal({ EVIDENCE_KEY: value }, ['EVIDENCE_KEY'])
    for (const line of value.split('\n')) if (line.length > 0) expect(output).not.toContain(line)
  })
})

/** Expects exit code 1, one line for each of `names` and no other, and no value of any setting. @returns the output */
async function expectRefusal(changes: Record<string, string | undefined>, names: readonly string[]): Promise<string> {
  const { code, output } = await start(changes)
  const [heading, ...faults] = output.trimEnd().split('\n')
  expect(heading).toBe('The configuration is not complete:')
  expect(faults.map((line) => /^ {2}([A-Z0-9_]+(?: or [A-Z0-9_]+)?): \S/.exec(line)?.[1] ?? line)).toEqual(names)
  expect(code).toBe(1)
  for (const value of [...VALUES, CANARY]) expect(output).not.toContain(value)
  return output
}
