// The built service as an operator starts it: without usable keys it is not there at all. [D15, D30]
import { spawn } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { sampleSettings } from '../test/evidence-fixture.js'

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url))
/** Nobody listens there: what starts does not wait for anybody. */
const NOBODY = '127.0.0.1:9'
const CANARY = 'canary-4711'

const pair = generateKeyPairSync('ed25519')
const keyring = () => `k1:${randomBytes(32).toString('base64')}`
const isGiven = (entry: [string, string | undefined]): entry is [string, string] => entry[1] !== undefined

/** All that production needs; its keys are those of the samples. */
const COMPLETE: Readonly<Record<string, string>> = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PORT: '0',
  INTERNAL_PORT: '0',
  DATABASE_URL: `postgres://signing_runtime:${CANARY}@${NOBODY}/signing`,
  DATABASE_DIRECT_URL: `postgres://signing_runtime:${CANARY}@${NOBODY}/signing`,
  BUS_DATABASE_URL: `postgres://signing_runtime:${CANARY}@${NOBODY}/bus`,
  CALLER_PRIVATE_KEY: pair.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  CALLER_PUBLIC_KEYS: JSON.stringify({
    gateway: [pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')],
  }),
  CONTRACT_URL: `http://${NOBODY}`,
  NOTIFICATION_URL: `http://${NOBODY}`,
  SHARE_BASE_URL: 'https://sign.example.com',
  CODE_PEPPERS: keyring(),
  CODE_KEYS: keyring(),
  PAGE_SECRET: randomBytes(32).toString('base64'),
  ...Object.fromEntries(Object.entries(sampleSettings()).filter(isGiven)),
}

/** Starts the service with the complete settings but for `changes`; ends it where it says that it is ready. */
async function start(changes: Record<string, string | undefined>): Promise<{ code: number | null; said: string }> {
  const settings = Object.fromEntries(Object.entries({ ...COMPLETE, ...changes }).filter(isGiven))
  const env = { ...settings, PATH: process.env['PATH'] ?? '' }
  const child = spawn(process.execPath, [MAIN], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 30_000,
    killSignal: 'SIGKILL',
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes('"ready"')) child.kill('SIGKILL')
    })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, said }
}

/** Whatever was given to it, but for what is too short to be a secret, and what stands in the messages anyway. */
const VALUES = Object.entries(COMPLETE).flatMap(([name, value]) =>
  /KEY|P12|PEPPERS|SECRET|DATABASE/.test(name) ? value.split('\n').filter((line) => line.length >= 20) : [],
)

beforeAll(() => {
  if (!existsSync(MAIN)) throw new Error('There is no build: npm run build.')
})

describe('the signing service in production [D15, D30]', () => {
  it('starts with all of its settings', async () => {
    const { code, said } = await start({})
    expect(said).toContain('"ready"')
    expect(code).toBe(null)
  })

  const none = { SEAL_KEY: undefined, SEAL_CERTIFICATE: undefined }
  const noneOfSandbox = { SANDBOX_SEAL_P12: undefined }
  it.each<[string, Record<string, string | undefined>, string[]]>([
    ['its key of evidence', { EVIDENCE_KEY: undefined }, ['EVIDENCE_KEY']],
    ['the key of evidence of the sandbox', { SANDBOX_EVIDENCE_KEY: undefined }, ['SANDBOX_EVIDENCE_KEY']],
    ['what seals', none, ['SEAL_KEY or SEAL_P12']],
    ['what seals in the sandbox', noneOfSandbox, ['SANDBOX_SEAL_KEY or SANDBOX_SEAL_P12']],
    [
      'any key of evidence',
      { EVIDENCE_KEY: undefined, SANDBOX_EVIDENCE_KEY: '' },
      ['EVIDENCE_KEY', 'SANDBOX_EVIDENCE_KEY'],
    ],
    [
      'anything that seals',
      { ...none, ...noneOfSandbox },
      ['SEAL_KEY or SEAL_P12', 'SANDBOX_SEAL_KEY or SANDBOX_SEAL_P12'],
    ],
  ])('refuses to start without %s, and names the setting without its value', async (_what, changes, names) => {
    await expectRefusal(changes, names)
  })

  const [begin, , end] = COMPLETE['EVIDENCE_KEY']!.split('\n')
  it.each([
    ['no key', CANARY],
    ['a broken one', `${begin}\n${Buffer.from(CANARY).toString('base64')}\n${end}\n`],
    ['a file’s name', `/run/secrets/${CANARY}`],
    ['the sealing key', COMPLETE['SEAL_KEY']!],
  ])('refuses to start when its evidence key is %s, and prints nothing of it', async (_what, value) => {
    const said = await expectRefusal({ EVIDENCE_KEY: value }, ['EVIDENCE_KEY'])
    for (const line of value.split('\n')) if (line.length > 0) expect(said).not.toContain(line)
  })
})

/** Exit 1, a line for each of `names` and for nothing else, and no value of any setting. @returns what it said */
async function expectRefusal(changes: Record<string, string | undefined>, names: readonly string[]): Promise<string> {
  const { code, said } = await start(changes)
  const [heading, ...faults] = said.trimEnd().split('\n')
  expect(heading).toBe('The configuration is not complete:')
  expect(faults.map((line) => /^ {2}([A-Z0-9_]+(?: or [A-Z0-9_]+)?): \S/.exec(line)?.[1] ?? line)).toEqual(names)
  expect(code).toBe(1)
  for (const value of [...VALUES, CANARY]) expect(said).not.toContain(value)
  return said
}
