// A service encrypts its traffic to databases and SMTP servers for a verified peer, or sends nothing. [Transport]
import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { inspect, promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openDirectConnection } from '@paraph/database/direct-connection'
import { migrate } from '@paraph/database/migrate'
import { openPool } from '@paraph/database/pool'
import { withClient } from '@paraph/database/provision'
import { startSmtpServer } from '@paraph/notification/test/smtp-fixture'
import { createAuthority } from '@paraph/testing/test/certificate-fixture'
import { FROM_SOURCES } from '@paraph/testing/test/from-sources-fixture'

import { startOwnServer } from '../test/own-server-fixture.js'

const run = promisify(execFile)
const hasOpenssl = spawnSync('openssl', ['version']).status === 0
if (!hasOpenssl && process.env['REQUIRE_ALL']) throw new Error('openssl is missing')

/** Every kind of database connection that we open: pools, sessions that LISTEN or hold a lock, migrations. */
const CONNECTIONS: Readonly<Record<string, (url: string, said: string[]) => Promise<unknown>>> = {
  'a pool': async (url, said) => {
    const pool = openPool(url, { warn: (...words: unknown[]) => void said.push(JSON.stringify(words)) })
    try {
      return await pool.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()')
    } finally {
      await pool.end()
    }
  },
  'a direct connection': async (url) => (await openDirectConnection(url, 'tls')).close(),
  'a migration': (url) => migrate(url, {}),
}

;(!hasOpenssl ? describe.skip : describe)('TLS', () => {
  let authority: Awaited<ReturnType<typeof createAuthority>>
  let other: Awaited<ReturnType<typeof createAuthority>>
  let server: Awaited<ReturnType<typeof startOwnServer>>
  let ours: Awaited<ReturnType<Awaited<ReturnType<typeof createAuthority>>['issue']>>

  beforeAll(async () => {
    authority = await createAuthority('ours')
    other = await createAuthority('another')
    ours = await authority.issue('db', 'DNS:localhost')
    const tls = (folder: string) => [
      'ssl=on',
      `ssl_cert_file=${folder}/server.crt`,
      `ssl_key_file=${folder}/server.key`,
      `ssl_ca_file=${folder}/ca.crt`,
      `hba_file=${folder}/pg_hba.conf`,
    ]
    const files = { 'server.crt': ours.certificate, 'server.key': ours.key, 'ca.crt': authority.caPem }
    const readyBy = (port: number) =>
      `postgres://postgres:test@localhost:${port}/postgres?sslmode=verify-full&sslrootcert=${authority.caFile}`
    server = await startOwnServer(
      tls,
      { ...files, 'pg_hba.conf': 'hostssl all all 127.0.0.1/32 scram-sha-256\n' },
      readyBy,
    )
  })
  afterAll(async () => {
    await server.close()
    await Promise.all([authority.close(), other.close()])
  })
  const urlOf = (parameters: string, host = 'localhost') =>
    `postgres://postgres:${server.password}@${host}:${server.port}/postgres?${parameters}`

  it.each(Object.entries(CONNECTIONS))(
    '%s connects with TLS and trusts the authority that the URL names [Transport]',
    async (name, way) => {
      const answer = await way(urlOf(`sslmode=verify-full&sslrootcert=${authority.caFile}`), [])
      if (name === 'a pool') expect(answer).toMatchObject({ rows: [{ ssl: true }] })
    },
  )

  it.each(Object.entries(CONNECTIONS))(
    '%s fails with another authority, with another host name or without TLS, and the error contains no secret [Transport, I14]',
    async (_, way) => {
      const wrong = [
        urlOf(`sslmode=verify-full&sslrootcert=${other.caFile}`),
        urlOf(`sslmode=verify-full&sslrootcert=${authority.caFile}`, '127.0.0.1'),
        urlOf('sslmode=verify-full'),
        urlOf('sslmode=disable'),
      ]
      const said: string[] = []
      for (const url of wrong) {
        const refused = await way(url, said).then(
          () => 'worked',
          (error: unknown) => {
            const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
            said.push(inspect(error, { depth: 6 }))
            return (cause as { code?: string }).code
          },
        )
        expect(refused).toMatch(
          /^(UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|SELF_SIGNED_CERT_IN_CHAIN|ERR_TLS_CERT_ALTNAME_INVALID|28000)$/,
        )
      }
      expect(said.join('\n')).not.toMatch(new RegExp(`${server.password}@|PRIVATE KEY|:${server.password}`))
    },
  )

  it('a client sends nothing to a server that offers no TLS [Transport]', async () => {
    const plain = await startOwnServer()
    const url = `postgres://postgres:${plain.password}@127.0.0.1:${plain.port}/postgres?sslmode=verify-full`
    for (const way of Object.values(CONNECTIONS))
      await expect(way(url, []).catch((error: Error) => Promise.reject(error.cause ?? error))).rejects.toThrow(
        'does not support SSL',
      )
    await plain.close()
  })

  it('a client presents our certificate instead of a password to a server that requires a certificate [Transport]', async () => {
    const client = await authority.issue('postgres', 'DNS:client')
    const withCertificate = await startOwnServer(
      (folder) => [
        'ssl=on',
        `ssl_cert_file=${folder}/server.crt`,
        `ssl_key_file=${folder}/server.key`,
        `ssl_ca_file=${folder}/ca.crt`,
        `hba_file=${folder}/pg_hba.conf`,
      ],
      {
        'server.crt': ours.certificate,
        'server.key': ours.key,
        'ca.crt': authority.caPem,
        'pg_hba.conf': 'hostssl all all 127.0.0.1/32 cert\n',
      },
      (port) =>
        `postgres://postgres@localhost:${port}/postgres?sslmode=verify-full&sslrootcert=${authority.caFile}&sslcert=${client.certificateFile}&sslkey=${client.keyFile}`,
    )
    await expect(
      withClient(
        `postgres://postgres:test@localhost:${withCertificate.port}/postgres?sslmode=verify-full&sslrootcert=${authority.caFile}`,
        (unknown) => unknown.query('select 1'),
      ),
    ).rejects.toThrow('certificate')
    await withCertificate.close()
  })

  it('a process trusts the authority in NODE_EXTRA_CA_CERTS for databases and for SMTP with STARTTLS and with implicit TLS [Transport, F6]', async () => {
    const mail = await authority.issue('mail', 'DNS:localhost')
    const ask = async (caFile: string, smtpUrl: string) => {
      const fixture = fileURLToPath(new URL('../test/private-ca-process-fixture.ts', import.meta.url))
      const { stdout } = await run(
        process.execPath,
        [...FROM_SOURCES, fixture, urlOf('sslmode=verify-full'), smtpUrl],
        { env: { PATH: '/usr/bin:/bin', NODE_ENV: 'production', NODE_EXTRA_CA_CERTS: caFile } },
      )
      return JSON.parse(stdout) as unknown
    }
    for (const secure of [false, true]) {
      const relay = await startSmtpServer(0, { tls: mail, secure })
      const smtpUrl = `${secure ? 'smtps' : 'smtp'}://localhost:${relay.port}`
      expect(await ask(authority.caFile, smtpUrl)).toEqual({ database: 'works', relay: 'works', mail: 'accepted' })
      const refused = expect.stringMatching(/LEAF_SIGNATURE|ISSUER_CERT|SELF_SIGNED/) as unknown as string
      expect(await ask(other.caFile, smtpUrl)).toEqual({ database: refused, relay: refused, mail: 'unavailable' })
      expect(await ask(authority.caFile, smtpUrl.replace('localhost', '127.0.0.1'))).toEqual({
        database: 'works',
        relay: 'ERR_TLS_CERT_ALTNAME_INVALID',
        mail: 'unavailable',
      })
      await relay.stop()
    }
  })
})
