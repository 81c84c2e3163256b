// The test mailbox: mails of sandbox contracts, kept for 24 hours for the owners of the account. [D64]
// A mail is encrypted as codes are, because the tables of this service contain no address and no text.
import { sql, type Kysely } from 'kysely'
import { seal, unseal, type Keyring } from '@paraph/config/keyring'
import { DomainError } from '@paraph/protocol/errors'
import type { ClaimedDelivery, MailKind } from './database.js'
import type { Mail } from './smtp/mailer.js'

/** Mails of the list: more than a contract has. */
const LIST_MAX = 100

/** What the list shows of a mail. */
interface MailHead {
  to: string
  subject: string
}

interface MailBody {
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
  head: Buffer
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
    const head: MailHead = { to: to.address, subject }
    const body: MailBody = { text, html, raw: (await rawOf(mail)).toString('base64') }
    const { bytes: headSealed } = seal(keys, JSON.stringify(head), headContextOf(id))
    const { bytes: sealed, keyId } = seal(keys, JSON.stringify(body), contextOf(id))
    await sql`
      insert into test_mail (id, account_id, contract_id, kind, head_sealed, sealed, sealed_key_id)
      values (${id}, ${accountId}, ${contractId}, ${kind}, ${headSealed}::bytea, ${sealed}::bytea, ${keyId})
      on conflict (id) do nothing`.execute(database)
  }

  const headOf = ({ id, contractId, kind, createdAt, head, keyId }: Row) => ({
    id,
    contractId,
    kind,
    at: createdAt.toISOString(),
    ...(JSON.parse(unseal(keys, { keyId, bytes: head }, headContextOf(id))) as MailHead),
  })

  return {
    sends,
    keep,

    /** The newest mails of an account, newest first. */
    async list(accountId: string) {
      const { rows } = await sql<Row>`
        select ${HEAD_COLUMNS} from test_mail where account_id = ${accountId} order by id desc limit ${LIST_MAX}`.execute(
        database,
      )
      return rows.map(headOf)
    },

    /** One mail. @throws DomainError `not_found`, also for a mail of another account */
    async read(accountId: string, id: number) {
      const { rows } = await sql<Row & { sealed: Buffer }>`
        select ${HEAD_COLUMNS}, sealed from test_mail where account_id = ${accountId} and id = ${id}`.execute(database)
      const [row] = rows
      if (!row) throw new DomainError('not_found', 'There is no such mail. A test mail is kept for 24 hours.')
      const body = JSON.parse(unseal(keys, { keyId: row.keyId, bytes: row.sealed }, contextOf(id))) as MailBody
      return { ...headOf(row), ...body }
    },
  }
}

export type TestMailbox = ReturnType<typeof createTestMailbox>

const HEAD_COLUMNS = sql.raw(
  `id, contract_id as "contractId", kind, created_at as "createdAt", head_sealed as head, sealed_key_id as "keyId"`,
)

/** Binds a ciphertext to its row and column. */
const contextOf = (id: number): string => `test-mail:${id}`
const headContextOf = (id: number): string => `test-mail-head:${id}`
