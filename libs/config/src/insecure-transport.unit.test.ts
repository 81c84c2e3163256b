import { describe, expect, it } from '@jest/globals'
import { insecureSettings } from './insecure-transport.js'

const DATABASE = 'DATABASE_URL: must have sslmode=verify-full outside this machine'
const PUBLIC = 'BASE_URL: must be https:// outside this machine'
const KAFKA = 'KAFKA_TLS: must be on with KAFKA_SASL_MECHANISM outside this machine'
const remote = 'postgres://u:hush@db.example.com/contract'
const sasl = { EVENT_BUS: 'kafka', KAFKA_SASL_MECHANISM: 'plain', KAFKA_BROKERS: 'kafka.example.com:9092' }

describe('a setting that sends data unencrypted to another machine [P39]', () => {
  it.each<[Record<string, string>, string | undefined]>([
    [{ BASE_URL: 'https://sign.example.com' }, undefined],
    [{ BASE_URL: 'HTTPS://sign.example.com' }, undefined],
    [{ BASE_URL: 'http://sign.example.com' }, PUBLIC],
    [{ BASE_URL: 'HTTP://sign.example.com' }, PUBLIC],
    [{ BASE_URL: 'http://10.0.0.7:8080' }, PUBLIC],
    [{ BASE_URL: 'http://127.0.0.1.example.com' }, PUBLIC],
    [{ BASE_URL: 'http://localhost.example.com' }, PUBLIC],
    [{ BASE_URL: 'http://localhost@sign.example.com' }, PUBLIC],
    [{ BASE_URL: 'http://localhost:8080' }, undefined],
    [{ BASE_URL: 'http://127.0.0.1:8080' }, undefined],
    [{ BASE_URL: 'http://[::1]:8080' }, undefined],
    [{ BASE_URL: 'http://sign.test' }, undefined],
    [{ BASE_URL: 'http://test' }, PUBLIC],
    [{ SHARE_BASE_URL: 'http://sign.example.com' }, `SHARE_${PUBLIC}`],
    [{ OBJECT_STORE_URL: 'http://key:hush@store.example.com/bucket' }, 'OBJECT_STORE_URL: must be https://'],
    [{ OBJECT_STORE_URL: 'http://key:hush@127.0.0.1:9000/bucket' }, undefined],
    [{ OBJECT_STORE_URL: 'https://key:hush@store.example.com/bucket' }, undefined],
    [{ PARAPH_VERIFY_OBJECT_STORE_URL: 'http://store/bucket' }, 'PARAPH_VERIFY_OBJECT_STORE_URL: must be https://'],
    // The services call each other by plain HTTP. (docs/reference/ports-and-transport.md)
    [{ CONTRACT_URL: 'http://contract:8080', CONTRACT_INTERNAL_URL: 'http://contract:8081' }, undefined],

    [{ DATABASE_URL: remote }, DATABASE],
    [{ DATABASE_URL: `${remote}?sslmode=disable` }, DATABASE],
    [{ DATABASE_URL: `${remote}?sslmode=verify-full` }, undefined],
    [{ DATABASE_URL: `${remote}?sslmode=verify-full&sslmode=disable` }, DATABASE],
    [{ DATABASE_URL: 'postgres://u:hush@127.0.0.1:5432/contract' }, undefined],
    [{ DATABASE_URL: 'postgres://u:hush@LOCALHOST/contract' }, undefined],
    [{ DATABASE_URL: 'postgres://u:hush@localhost/contract?host=db.example.com' }, DATABASE],
    [{ DATABASE_URL: `${remote}?host=/var/run/postgresql` }, undefined],
    [{ DATABASE_URL: 'postgres://u:hush@%2Fvar%2Frun%2Fpostgresql/contract' }, undefined],
    // The host is then that of PGHOST.
    [{ DATABASE_URL: 'postgres:///contract' }, DATABASE],
    [{ DATABASE_DIRECT_URL: remote }, 'DATABASE_DIRECT_URL: must'],
    [{ WINDOW_DATABASE_URL: remote }, 'WINDOW_DATABASE_URL: must'],
    [{ DATABASE_OWNER_URL: remote }, 'DATABASE_OWNER_URL: must'],
    [{ BUS_OWNER_URL: remote }, 'BUS_OWNER_URL: must'],
    [{ PARAPH_VERIFY_CONTRACT_DATABASE_URL: remote }, 'PARAPH_VERIFY_CONTRACT_DATABASE_URL: must'],
    [{ BUS_DATABASE_URL: remote }, 'BUS_DATABASE_URL: must'],
    [{ BUS_DATABASE_URL: remote, EVENT_BUS: 'kafka' }, undefined],

    [sasl, KAFKA],
    [{ ...sasl, KAFKA_TLS: 'off', KAFKA_SASL_MECHANISM: 'scram-sha-512' }, KAFKA],
    [{ ...sasl, KAFKA_TLS: 'on' }, undefined],
    [{ ...sasl, KAFKA_BROKERS: '127.0.0.1:9092, localhost:9093' }, undefined],
    [{ ...sasl, KAFKA_BROKERS: '127.0.0.1:9092,kafka.example.com:9092' }, KAFKA],
    [{ ...sasl, EVENT_BUS: 'postgres' }, undefined],
  ])('%j: %s', (environment, sentence) => {
    const found = insecureSettings(environment)
    expect(found).toEqual(sentence === undefined ? [] : [expect.stringContaining(sentence)])
    expect(found.join()).not.toContain('hush')
    expect(insecureSettings({ ...environment, ALLOW_INSECURE_TRANSPORT: 'no' })).toEqual(found)
    expect(insecureSettings({ ...environment, ALLOW_INSECURE_TRANSPORT: 'yes' })).toEqual([])
  })
})
