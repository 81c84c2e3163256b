// The test mailbox: mails of sandbox contracts, kept for 24 hours for the owners of the account. [D64]
// A mail is encrypted as codes are, because the tables of this service contain no address and no text.
import { sql, type Kysely } from 'kysely'
import { seal, unseal, type Keyring } from '@paraph/config/keyring'
import { DomainError } from '@paraph/protocol/errors'
import type { ClaimedDelivery, MailKind } from './database.js'
import type { Mail } from './smtp/mailer.js'

/** Mails of the list: more than a contract has. */
const LIST_MAX = 100

/** The parts of a mail as a reader sees them. */
interface KeptMail {
  to: string
  subject: string
  text: string
  html: string
  /** The whole message, in base64. [RFC 5322] */
  raw: string
}

interface Row {
  id: number
  contractId: string
  kind: MailKind
  createdAt: Date
  sealed: Buffer
  keyId: string
}

export interface TestMailboxDeps {
  database: Kysely<unknown>
  keys: Keyring
  /** The mail as a server gets it. */
  rawOf: (mail: Mail) => Promise<Buffer>
  /** Whether the mails are also sent. */
  sends: boolean
}

export function createTestMailbox({ database, keys, rawOf, sends }: TestMailboxDeps) {
  /** Keeps the mail of a sandbox contract, once for each delivery. */
  async function keep({ id, contractId, kind }: ClaimedDelivery, mail: Mail, accountId: string): Promise<void> {
    const { to, subject, text, html } = mail
    const kept: KeptMail = { to: to.address, subject, text, html, raw: (await rawOf(mail)).toString('base64') }
    const { bytes, keyId } = seal(keys, JSON.stringify(kept), contextOf(id))
    await sql`
      insert into test_mail (id, account_id, contract_id, kind, sealed, sealed_key_id)
      values (${id}, ${accountId}, ${contractId}, ${kind}, ${bytes}::bytea, ${keyId})
      on conflict (id) do nothing`.execute(database)
  }

  const open = ({ id, sealed: bytes, keyId }: Row): KeptMail =>
    JSON.parse(unseal(keys, { keyId, bytes }, contextOf(id))) as KeptMail

  const rows = (accountId: string, id?: number) =>
    sql<Row>`
      select id, contract_id as "contractId", kind, created_at as "createdAt", sealed, sealed_key_id as "keyId"
        from test_mail where account_id = ${accountId} and (${id ?? null}::bigint is null or id = ${id ?? null}::bigint)
       order by id desc limit ${LIST_MAX}`.execute(database)

  return {
    sends,
    keep,

    /** The newest mails of an account, newest first. */
    async list(accountId: string) {
      const found = await rows(accountId)
      return found.rows.map((row) => {
        const { to, subject } = open(row)
        return { ...headOf(row), to, subject }
      })
    },

    /** One mail. @throws DomainError `not_found`, also for a mail of another account */
    async read(accountId: string, id: number) {
      const [row] = (await rows(accountId, id)).rows
      if (!row) throw new DomainError('not_found', 'There is no such mail. A test mail is kept for 24 hours.')
      return { ...headOf(row), ...open(row) }
    },
  }
}

export type TestMailbox = ReturnType<typeof createTestMailbox>

const headOf = ({ id, contractId, kind, createdAt }: Row) => ({ id, contractId, kind, at: createdAt.toISOString() })

/** Binds a ciphertext to its row. */
const contextOf = (id: number): string => `test-mail:${id}`
