// The baseline of post.mjs: a Koa server that writes the rows of a contract by plain pg in one transaction and answers 201. It validates
// nothing, encrypts nothing and publishes nothing.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import Koa from 'koa'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const app = new Koa()

app.use(async (ctx) => {
  const chunks = []
  for await (const chunk of ctx.req) chunks.push(chunk)
  if (ctx.method !== 'POST') return void (ctx.status = 204)
  const body = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  const createdAt = new Date()
  const expiresAt = new Date(createdAt.getTime() + 14 * 86_400_000)
  const unique = randomUUID()
  const id = `contract-${createdAt.getTime()}-${unique.slice(0, 9)}`
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(
      `insert into contract (id, account_id, environment, contract_number, contract_type, status, sender_name, account_name, mail_language,
         time_zone, content, content_sha256, metadata, share_token_sha256, share_token_sealed, share_token_key_id, request_id, version,
         created_at, expires_at, changed_at)
       values ($1, 'acc_1', 'production', $2, $3, 'pending_signature', $4, $4, 'en', 'UTC', $5, $6, '{}', $7, $8, 'k1', $9, 1, $10, $11, $10)`,
      [
        id,
        `EXT-${unique}`,
        body.contractType,
        body.senderName,
        body.content,
        createHash('sha256').update(body.content).digest(),
        createHash('sha256').update(unique).digest(),
        randomBytes(72),
        unique,
        createdAt,
        expiresAt,
      ],
    )
    await client.query(
      `insert into party (contract_id, party_index, role, legal_name, email)
       select $1, n - 1, role, legal_name, email from unnest($2::text[], $3::text[], $4::text[]) with ordinality as p(role, legal_name, email, n)`,
      [
        id,
        body.parties.map(({ role }) => role),
        body.parties.map(({ legalName }) => legalName),
        body.parties.map(({ email }) => email),
      ],
    )
    await client.query(
      `insert into outbox (event_id, topic, type, key, sequence, occurred_at, data) values ($1, 'contract.events.v1', 'contract.created', $2, 1, $3, $4)`,
      [randomUUID(), id, createdAt, { contractId: id, accountId: 'acc_1', environment: 'production', partyCount: 2 }],
    )
    await client.query('commit')
  } finally {
    client.release()
  }
  ctx.status = 201
  ctx.body = { success: true, contract: { id, parties: body.parties, createdAt, expiresAt } }
})
app.listen(Number(process.env.PORT), '127.0.0.1')
