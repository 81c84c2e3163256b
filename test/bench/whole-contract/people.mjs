// The client and the two parties of a whole contract: POST, GETs, links and codes from their mails, signatures, and the signed PDF.
import { readFileSync } from 'node:fs'
import { Pool } from 'undici'
import { createOperatorClient } from '@paraph/paraph/operator-client'
import { internalUrl } from '@paraph/paraph/installation/environment'
import { importSource } from '../import-source.mjs'
import { SERVICES } from './readings.mjs'

const { askForCode, createVisitor, signOn } = await importSource('test/harness/clients/ceremony-client.ts')

const PARTIES = ['Nordic Foods Ltd.', 'Jane Roe']
export const CONTENT = readFileSync(
  new URL('../../../services/signing/test/contract-text/nda.txt', import.meta.url),
  'utf8',
)

/** Runs `work` for both parties of a contract concurrently. */
export const both = (work) => (contract) => Promise.all(PARTIES.map((_, at) => work(contract, at)))

/**
 * Creates an account with a key. A contract is an object with a unique `number`, to which the steps add what they learn.
 * @param gets GETs for each contract
 * @param connections of the client
 * @param onTime receives the milliseconds of each `POST`, and of each `signature`: from the click to the page after it
 */
export async function openPeople(stage, mail, { gets, connections, onTime = () => undefined }) {
  const operator = createOperatorClient({
    ...Object.fromEntries(SERVICES.map((service) => [`${service}Url`, internalUrl(stage.ports, service)])),
    operatorKey: stage.secrets.callerKeys.operator.private,
  })
  const owner = { name: 'Load', email: 'load@example.test', tier: 'load' }
  const { account } = await operator.gateway.account.create.mutate(owner)
  const scopes = ['contracts:read', 'contracts:write']
  const { key } = await operator.gateway.key.create.mutate({ accountId: account.id, environment: 'live', scopes })
  await operator.close()
  const headers = { 'x-api-key': key.secret, 'content-type': 'application/json' }
  const pool = new Pool(`http://127.0.0.1:${stage.ports.gateway}`, { connections })
  let [calls, pages] = [0, 0]

  async function call(method, path, body) {
    calls += 1
    const answer = await pool.request({ method, path: `/api/external/v2${path}`, headers, body })
    const text = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(`${method} was answered with ${answer.statusCode}: ${text}`)
    return JSON.parse(text)
  }

  async function timed(name, work) {
    const startedAt = performance.now()
    const result = await work()
    onTime(name, performance.now() - startedAt)
    return result
  }

  return {
    headers,
    calls: () => calls,
    pages: () => pages,
    close: () => pool.close(),
    async create(contract) {
      const parties = PARTIES.map((legalName, at) => ({ role: `Party ${at}`, legalName, email: emailOf(contract, at) }))
      const body = { contractType: 'nda', content: CONTENT, parties, metadata: { order: String(contract.number) } }
      const made = await timed('POST', () => call('POST', '/contracts', JSON.stringify(body)))
      Object.assign(contract, { id: made.contract.id, shareUrl: made.contract.shareUrl, people: [] })
    },
    async poll({ id }) {
      for (let times = 0; times < gets; times += 1) await call('GET', `/contracts/${id}`)
    },
    /** Waits for the invitation, which must have the link of the contract. */
    async readInvitation(contract, at) {
      const text = await mail.next('invitation', emailOf(contract, at))
      if (!text.includes(contract.shareUrl)) throw new Error('an invitation has another link than the 201')
    },
    /** Proves the mailbox and opens the text. Also loads the files that a browser loads on its first visit. */
    async review(contract, at) {
      const visitor = createVisitor({ 'x-forwarded-for': clientAddressOf(contract, at) }, () => void (pages += 1))
      const first = answered(await visitor.get(contract.shareUrl), 200)
      for (const [, path] of first.body.matchAll(/<(?:link|script)\b[^>]*\s(?:href|src)="(\/[^"]+)"/g))
        answered(await visitor.get(new URL(path, first.url).href), 200)
      const typed = await askForCode(visitor, contract.shareUrl, emailOf(contract, at))
      const code = /^(\d{6}|\d{12})\b/m.exec(await mail.next('code', emailOf(contract, at)))?.[1]
      const review = await visitor.follow(await visitor.submit(typed, /\/code\/[^/]+$/, { code }))
      contract.people[at] = { visitor, review: answered(review, 200) }
    },
    async sign({ people }, at) {
      const { visitor, review } = people[at]
      await timed('signature', async () => {
        const signed = answered(await signOn(visitor, review, PARTIES[at]), 303)
        answered(await visitor.follow(signed), 200)
      })
    },
    awaitCopy: (contract, at) => mail.next('copy', emailOf(contract, at)),
    async readCopy({ people, shareUrl }, at) {
      const { visitor } = people[at]
      answered(await visitor.get(`${shareUrl}/done`), 200)
      answered(await visitor.get(`${shareUrl}/copy.pdf`), 200)
      visitor.close()
    },
  }
}

function answered(page, status) {
  if (page.status === status) return page
  throw new Error(`${new URL(page.url).pathname.split('/').at(-1)} was answered with ${page.status}`)
}

function emailOf({ number }, at) {
  return `${at === 0 ? 'nordic' : 'jane'}.${number}@example.test`
}

/** Each person has an address of their own, because one address may request only 600 codes an hour. [D16] */
function clientAddressOf({ number }, at) {
  return `10.${at + 2 * (number >> 16)}.${(number >> 8) & 255}.${number & 255}`
}
