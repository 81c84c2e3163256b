import { parseEnv } from 'node:util'
import { expect, it } from '@jest/globals'
import { SERVICES } from '@paraph/protocol/services'
import { envFile, installationSecrets, kubernetesSecrets } from './installation-secrets.js'
import { makeSecrets } from './secrets.js'

const secrets = await makeSecrets('Example Ltd.')
const postgres = 'postgres://db.test:5432/?sslmode=verify-full'
const documents = installationSecrets(secrets, { postgres, smtp: 'smtps://u:p%27@mail.test' }, 'v')

it('each secret is given to one service only, and the passwords of the owner roles to no service [D45, D46, D50]', () => {
  const shared = new Set(['CALLER_PUBLIC_KEYS'])
  for (const service of SERVICES) {
    const own = Object.entries(documents[service])
      .filter(([key]) => !shared.has(key))
      .map(([, value]) => value)
    for (const other of Object.keys(documents).filter((name) => name !== service && name !== 'roles'))
      expect(Object.values(documents[other as typeof service]).filter((value) => own.includes(value))).toEqual([])
    for (const { owner } of Object.values(secrets.rolePasswords))
      expect(JSON.stringify(documents[service])).not.toContain(owner)
  }
})

it('each service connects to its own database and to the bus with its own role and the given parameters [D50]', () => {
  expect(documents.signing['DATABASE_URL']).toBe(
    `postgres://signing_runtime:${secrets.rolePasswords.signing.runtime}@db.test:5432/signing?sslmode=verify-full`,
  )
  expect(new URL(documents.signing['BUS_DATABASE_URL']!)).toMatchObject({
    username: 'signing_runtime',
    pathname: '/bus',
  })
  expect(new URL(documents.owners['BUS_OWNER_URL']!)).toMatchObject({ username: 'bus_owner', pathname: '/bus' })
  expect(new URL(documents.verify['PARAPH_VERIFY_BUS_DATABASE_URL']!)).toMatchObject({
    username: 'paraph_verify',
    pathname: '/bus',
  })
})

it('only DATABASE_URL goes through a pooler [D48]', () => {
  const pooled = installationSecrets(secrets, { postgres, pooler: 'postgres://pool.test:6432/' }, 'v').contract
  const hostOf = (setting: string): string => new URL(pooled[setting]!).host
  expect(hostOf('DATABASE_URL')).toBe('pool.test:6432')
  expect([hostOf('DATABASE_DIRECT_URL'), hostOf('BUS_DATABASE_URL')]).toEqual(['db.test:5432', 'db.test:5432'])
})

it('Secrets and env files have the same values, including keys of several lines [D46]', () => {
  const { items } = JSON.parse(kubernetesSecrets(documents, 'mine')) as {
    items: { kind: string; metadata: { name: string }; stringData: Record<string, string> }[]
  }
  expect(items.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual(
    Object.keys(documents).map((name) => `Secret mine-${name}`),
  )
  expect(items.map(({ stringData }) => stringData)).toEqual(Object.values(documents))
  for (const document of Object.values(documents)) expect(parseEnv(envFile(document))).toEqual(document)
  expect(documents.signing['SEAL_KEY']).toMatch(/\n.*\n/)
})
