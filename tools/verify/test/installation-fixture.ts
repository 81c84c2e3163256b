// The databases of a correct installation with any number of contracts, each with two invited parties, a published event and evidence.
import { withClient } from '@paraph/database/provision'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'

/** In the order in which the fixture fills them: a message is on the bus before its outbox row is marked. */
const SOURCES = ['bus', 'gateway', 'contract', 'signing', 'notification'] as const
export const FIRST_MS = Date.UTC(2026, 2, 1)
export type TestSource = (typeof SOURCES)[number]

/** Contract `n` of the series, a second after the previous one; the same in every database. */
const seriesOf = (
  contracts: number,
): string => `(select n, 'contract-' || (${FIRST_MS} + n * 1000)::text || '-' || lpad(n::text, 9, 'a') as id,
  to_timestamp(${FIRST_MS} / 1000 + n) as at, md5('event ' || n)::uuid::text as event from generate_series(1, ${contracts}) n) s`
const CONTENT = `sha256(convert_to('TEXT', 'UTF8'))`
const LINE = `'{"at":"2026-03-01T00:00:00.000Z","data":{"contentSha256":"' || encode(${CONTENT}, 'hex') || '","contractNumber":"EXT-' || n || '"},"prev":"${'0'.repeat(64)}","seq":1,"type":"contract.created"}'`

/** Open contracts of two parties, with their events, mails and evidence. */
const seedOf = (contracts: number, series = seriesOf(contracts)): Readonly<Record<TestSource, string>> => ({
  gateway: 'select 1',
  contract: `
    insert into contract (id, account_id, environment, contract_number, contract_type, status, sender_name, account_name, mail_language,
      time_zone, content, content_sha256, metadata, share_token_sha256, share_token_key_id, request_id, version, created_at, expires_at, changed_at)
    select id, 'acc_1', 'production', 'EXT-' || n, 'nda', 'pending_signature', 'A', 'A', 'en', 'UTC', 'TEXT', ${CONTENT}, '{}',
      convert_to(id, 'UTF8'), 'k1', id, 1, at, now() + interval '1 day', at from ${series};
    insert into party select id, p, 'Party', 'Name', 'a@example.test' from ${series}, generate_series(0, 1) p;
    insert into outbox (event_id, topic, type, key, sequence, occurred_at, data, published_at)
    select event::uuid, 'contract.events.v1', 'contract.created', id, 1, at, '{}', now() from ${series}`,
  signing: `
    insert into evidence_chain (contract_id, seq, hash, newest_at)
    select id, 1, encode(sha256(convert_to(${LINE}, 'UTF8')), 'hex'), at from ${series};
    insert into evidence_entry select id, 1, 'contract.created', ${LINE} from ${series};
    insert into inbox (consumer, event_id) select 'signing', event from ${series}`,
  notification: `
    insert into delivery (contract_id, account_id, party_index, kind, send_number, state, attempts, priority, lapses_at, finished_at)
    select id, 'acc_1', p, 'invitation', 1, 'accepted', 1, 1, at + interval '2 days', at from ${series}, generate_series(0, 1) p;
    insert into inbox (consumer, event_id) select 'notification', event from ${series}`,
  bus: `
    insert into bus.partition values ('contract.events.v1', 0, ${contracts});
    insert into bus.message select 'contract.events.v1', 0, n - 1, id, '{}',
      '{"specversion":"1.0","id":"' || event || '","type":"contract.created","sequence":"1","data":{}}', now() from ${series};
    insert into bus.group_position select unnest(array['signing', 'notification']), 'contract.events.v1', 0, ${contracts}`,
})

/** Clones and fills the databases. The caller closes the installation. */
export async function openInstallation(contracts: number) {
  const clones = {} as Record<TestSource, TestDatabase>
  /** Runs a statement as the superuser, with triggers and foreign keys disabled. */
  const change = (source: TestSource, statement: string) =>
    withClient(clones[source].adminUrl, async (client) => {
      await client.query(`set session_replication_role = replica; ${statement}`)
    })
  const seed = seedOf(contracts)
  for (const source of SOURCES) {
    clones[source] = await cloneTestDatabase(source)
    await change(source, seed[source])
  }
  const urlOf = (source: TestSource): string => clones[source].adminUrl
  return {
    urls: {
      gateway: urlOf('gateway'),
      contract: urlOf('contract'),
      signing: urlOf('signing'),
      notification: urlOf('notification'),
      bus: urlOf('bus'),
    },
    change,
    async close(): Promise<void> {
      for (const clone of Object.values(clones)) await clone.drop()
    },
  }
}

export type Installation = Awaited<ReturnType<typeof openInstallation>>
