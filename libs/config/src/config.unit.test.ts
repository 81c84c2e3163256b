import { expect, it } from '@jest/globals'
import { z } from 'zod'
import { baseUrlSetting, checkConfig, pageSecretsSetting, processSettings } from './config.js'

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
  const check = (environment: NodeJS.ProcessEnv) => checkConfig(z.object({}), { FAIL_POINT_DIR }, environment)
  expect(check({ FAIL_POINT_DIR: '/points' })).toEqual({ config: { FAIL_POINT_DIR: '/points' } })
  expect(check({ NODE_ENV: 'production' })).toEqual({ config: {} })
  expect(check({ FAIL_POINT_DIR: '/points', NODE_ENV: 'production' })).toEqual({
    errors: [expect.stringContaining('FAIL_POINT_DIR')],
  })
})

it('the configuration reads a base URL without regard to the case of its scheme, and refuses http to another machine [P39]', () => {
  const check = (environment: NodeJS.ProcessEnv) => checkConfig(z.object({}), { BASE_URL: baseUrlSetting }, environment)
  expect(check({ BASE_URL: 'HTTPS://Sign.Example.COM//' })).toEqual({
    config: { BASE_URL: 'https://sign.example.com' },
  })
  expect(check({ BASE_URL: 'ftp://sign.example.com' })).toHaveProperty('errors.length', 1)
  expect(check({ BASE_URL: 'http://sign.example.com' })).toEqual({
    errors: [expect.stringMatching(/^ {2}BASE_URL: must be https:.* ALLOW_INSECURE_TRANSPORT=yes/)],
  })
})
