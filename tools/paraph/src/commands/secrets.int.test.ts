import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, expect, it } from '@jest/globals'
import { checkEvidenceKeys } from '@paraph/signing/sealing/keys'
import { readConfig } from '../config.js'
import { secretsCommands } from './secrets.js'

const folder = await mkdtemp(join(tmpdir(), 'paraph-secrets-'))
afterAll(() => rm(folder, { recursive: true }))
const [make] = secretsCommands
const postgres = 'postgres://db.test/'
const run = (values: Record<string, string>) => {
  if (!make || !('runAlone' in make)) throw new Error('secrets make runs alone')
  return make.runAlone(readConfig({}), values)
}

it('`secrets make` writes files that only their owner may read, and overwrites none [D46]', async () => {
  await run({ format: 'env', postgres, into: folder })
  const files = await readdir(folder)
  expect(files.sort()).toEqual(
    ['contract', 'gateway', 'notification', 'operator', 'owners', 'postgres', 'roles', 'signing', 'verify'].map(
      (name) => `${name}.env`,
    ),
  )
  for (const file of files) expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600)
  const before = await readFile(join(folder, 'signing.env'), 'utf8')
  await expect(run({ format: 'env', postgres, into: folder })).rejects.toThrow('are not overwritten')
  expect(await readFile(join(folder, 'signing.env'), 'utf8')).toBe(before)
})

it('`secrets make` creates keys with which the signing service starts, different for each environment [D30, D15]', async () => {
  const config = parseEnv(await readFile(join(folder, 'signing.env'), 'utf8'))
  expect(
    await checkEvidenceKeys({ EVIDENCE_RETIRED_KEYS: '', SEAL_RETIRED_CERTIFICATES: '', ...config } as never),
  ).toHaveProperty('keys.sandbox')
})

it.each([
  ['postgres', { postgres: 'postgres://u:secret@db.test/' }],
  ['postgres', { postgres: 'postgres://db.test/contract' }],
  ['postgres', { postgres: "postgres://db.test/?x='" }],
  ['pooler', { pooler: 'db.test' }],
  ['smtp', { smtp: 'smtps://u:secret$@mail.test' }],
  ['name', { name: 'Paraph' }],
  ['--into', { format: 'env' }],
])(
  '`secrets make` refuses invalid options with an error about %s that contains no secret [D46]',
  async (word, wrong) => {
    const refused = await run({ format: 'kubernetes', postgres, ...wrong }).catch((error: unknown) => String(error))
    expect(refused).toContain(word)
    expect(refused).not.toContain('secret')
  },
)
