import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { baseUrlSetting, checkConfig, footNameSetting, pageSecretsSetting, processSettings } from './config.js'

const [A, B] = ['a'.repeat(32), 'b'.repeat(40)]
const idsOf = (text: string) => pageSecretsSetting.parse(text).map(({ id }) => id)

it('the configuration accepts one page secret, or two during a rotation; a secret has the same id in either position [P9, F25]', () => {
  expect(pageSecretsSetting.parse(A)).toEqual([{ id: expect.stringMatching(/^[\w-]{6}$/), secret: A }])
  expect(idsOf(`${A},${B}`)).toEqual([...idsOf(A), ...idsOf(B)])
  expect(idsOf(`${B},${A}`)).toEqual([...idsOf(B), ...idsOf(A)])
  expect(idsOf(A)).not.toEqual(idsOf(B))
})

it.each(['', 'short', `${A},`, `${A},short`, `${A},${B},${A}`])(
  'the configuration rejects %j as page secrets [P9]',
  (text) => {
    const { error } = pageSecretsSetting.safeParse(text)
    expect(error?.issues[0]?.message).toBe('must be one or two secrets of at least 32 characters, a comma between')
  },
)

it('the configuration rejects fail points in production and names the setting [F16]', () => {
  const { FAIL_POINT_DIR } = processSettings
  const check = (environment: NodeJS.ProcessEnv) => checkConfig(environment, z.object({}), { FAIL_POINT_DIR })
  expect(check({ FAIL_POINT_DIR: '/points' })).toEqual({ config: { FAIL_POINT_DIR: '/points' } })
  expect(check({ NODE_ENV: 'production' })).toEqual({ config: {} })
  expect(check({ FAIL_POINT_DIR: '/points', NODE_ENV: 'production' })).toEqual({
    errors: [expect.stringContaining('FAIL_POINT_DIR')],
  })
})

it('the configuration reads a base URL without regard to the case of its scheme, and refuses http to another machine [P39]', () => {
  const check = (environment: NodeJS.ProcessEnv) => checkConfig(environment, z.object({}), { BASE_URL: baseUrlSetting })
  expect(check({ BASE_URL: 'HTTPS://Sign.Example.COM//' })).toEqual({
    config: { BASE_URL: 'https://sign.example.com' },
  })
  expect(check({ BASE_URL: 'ftp://sign.example.com' })).toHaveProperty('errors.length', 1)
  expect(check({ BASE_URL: 'http://sign.example.com' })).toEqual({
    errors: [expect.stringMatching(/^ {2}BASE_URL: must be https:.* ALLOW_INSECURE_TRANSPORT=yes/)],
  })
})

it('the configuration takes the size of the main pool, 10 by default, and refuses every other in one sentence', () => {
  const { DATABASE_POOL_MAX } = processSettings
  const check = (environment: NodeJS.ProcessEnv) => checkConfig(environment, z.object({}), { DATABASE_POOL_MAX })
  expect(check({})).toEqual({ config: { DATABASE_POOL_MAX: 10 } })
  for (const size of [2, 100])
    expect(check({ DATABASE_POOL_MAX: String(size) })).toEqual({ config: { DATABASE_POOL_MAX: size } })
  for (const size of ['1', '101', '2.5', 'many', ''])
    expect(check({ DATABASE_POOL_MAX: size })).toEqual({
      errors: ['  DATABASE_POOL_MAX: must be a whole number of connections, from 2 to 100'],
    })
})

it.each([
  ['', 'must not be blank'],
  [' Sign', 'must not begin or end with a space'],
  ['Sign\nhere', 'must not contain line breaks, control characters or invisible characters'],
  ['Sign\u202E', 'must not contain line breaks, control characters or invisible characters'],
  ['x'.repeat(41), 'must have at most 40 characters'],
])('the configuration rejects %j as the name in the foot [D59]', (name, message) => {
  expect(footNameSetting.safeParse(name).error?.issues.map((issue) => issue.message)).toEqual([message])
  for (const allowed of ['S', 'Signé & Co.', '🖋️'.repeat(20)]) expect(footNameSetting.parse(allowed)).toBe(allowed)
})

describe('a setting from a file', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'paraph-settings-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const fileOf = async (content: string): Promise<string> => {
    const file = join(folder, randomUUID())
    await writeFile(file, content)
    return file
  }
  const choice = z.discriminatedUnion('BUS', [z.object({ BUS: z.literal('a').default('a'), BUS_KEY: z.string() })])
  const check = (environment: NodeJS.ProcessEnv) => checkConfig(environment, choice, { KEY: z.string().min(4) })

  it('is the content without its last line break, for a setting of a choice too', async () => {
    const [KEY_FILE, BUS_KEY_FILE] = [await fileOf('line 1\nline 2\n\n'), await fileOf('hush\r\n')]
    expect(check({ KEY_FILE, BUS_KEY_FILE })).toEqual({
      config: { KEY: 'line 1\nline 2\n', BUS: 'a', BUS_KEY: 'hush' },
    })
  })

  it('is refused in one line when it is given twice, unreadable or not valid; no line contains path or content', async () => {
    const [KEY_FILE, BUS_KEY] = [await fileOf('hush'), 'hush']
    const errorsOf = (environment: NodeJS.ProcessEnv) => {
      const found = check({ BUS_KEY, ...environment })
      return 'errors' in found ? found.errors.map((line) => line.replace(/: .*hush.*/, ': LEAK')) : []
    }
    expect(errorsOf({ KEY_FILE, KEY: 'hush' })).toEqual(['  KEY: is given twice, as KEY and as KEY_FILE'])
    const unreadable = '  KEY_FILE: names no file that can be read'
    expect(errorsOf({ KEY_FILE: join(folder, 'hush') })).toEqual([unreadable])
    expect(errorsOf({ KEY_FILE: folder })).toEqual([unreadable])
    expect(errorsOf({ KEY_FILE: '' })).toEqual([unreadable])
    expect(errorsOf({ KEY_FILE: await fileOf('hu\n') })).toEqual([expect.stringMatching(/^ {2}KEY: Too small/)])
  })

  it('is held to the rules for its value, and files of other programs are not read [P39]', async () => {
    const URL_FILE = await fileOf('http://sign.example.com\n')
    const environment = { BASE_URL_FILE: URL_FILE, SSL_CERT_FILE: '/no' }
    const found = checkConfig(environment, z.object({}), { BASE_URL: baseUrlSetting })
    expect(found).toEqual({ errors: [expect.stringMatching(/^ {2}BASE_URL: must be https/)] })
  })
})
