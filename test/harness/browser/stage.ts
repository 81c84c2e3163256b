// The environment of browser tests: a running stack, a browser that records violations of the content security policy, and database access.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from '@jest/globals'
import { withClient } from '@paraph/database/provision'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { createApiClient, createMailbox, type ContractBody } from '../clients/api-client.js'
import { openBrowser } from './browser.js'
import { createAccount } from '../stack/accounts.js'
import { databaseUrlOf, paraphJson } from '../stack/local-stack.js'
import { joinStack, type SharedStack } from '../stack/shared-stack.js'

export type StagedContract = ContractBody['contract'] & { mailboxes: string[] }

export const PHONE = { width: 390, height: 844 }

/** Two parties; `tag` separates their mailboxes from those of other tests. */
export const partiesOf = (tag: string) => [
  { role: 'Discloser', legalName: 'Nordic Foods Ltd.', email: `nordic.${tag}@example.test` },
  { role: 'Recipient', legalName: 'Jane Roe', email: `jane.${tag}@example.test` },
]

export const CONTENT =
  'NON-DISCLOSURE AGREEMENT\n\n1. PURPOSE\n\nThe parties keep secrets secret.\n\n2. TERM\n\nTwo years.\n'

/** Opens a stage for one test file. After each test, closes its pages and expects that the content security policy blocked nothing. */
export function useStage(hand: (stage: Stage) => void): void {
  let stage: Stage | undefined
  beforeAll(async () => {
    stage = await openStage()
    hand(stage)
  })
  afterAll(() => stage?.close())
  afterEach(async () => {
    await Promise.all(stage?.browser.contexts().map((context) => context.close()) ?? [])
    expectWithMessage(stage?.stopped, 'resources that the content security policy blocked').toEqual([])
  })
}

/** Creates an account on the tier for load tests, because browser tests exceed the rate limit of the demo account. */
async function openStage() {
  const [running, browser]: [SharedStack, Browser] = await Promise.all([joinStack(), openBrowser()])
  const { apiUrl, mailboxUrl } = running.stack
  const command = <Answer>(...argv: string[]) => paraphJson<Answer>(running.folder, ...argv)

  /** Creates a separate account with a production key. */
  async function openAccount(name: string) {
    const { accountId, liveKey } = await createAccount(running.folder, { name })
    return { accountId, api: createApiClient(apiUrl, liveKey) }
  }
  const { api } = await openAccount('Nordic Foods Ltd.')
  const stopped: string[] = []

  return {
    running,
    browser,
    api,
    mailbox: createMailbox(mailboxUrl),
    command,
    createAccount: openAccount,
    /** Browser messages about resources that the content security policy blocked, from all pages so far. */
    stopped,
    async createContract(tag: string, overrides: Record<string, unknown> = {}, client = api): Promise<StagedContract> {
      const parties = partiesOf(tag)
      const body = {
        parties,
        contractType: 'nda',
        content: CONTENT,
        senderName: 'Nordic Foods procurement',
        ...overrides,
      }
      const answer = await client.create(body)
      if (answer.status !== 201) throw new Error(`POST /contracts returned the status ${answer.status}`)
      return { ...answer.body.contract, mailboxes: answer.body.contract.parties.map(({ email }) => email) }
    },
    /** Opens a page in a new browser profile. */
    async openPage(options: BrowserContextOptions = {}): Promise<Page> {
      const context = await browser.newContext({ locale: 'en-GB', ...options })
      context.on('console', (message) => {
        if (/content security policy/i.test(message.text())) stopped.push(`${message.page()?.url()}: ${message.text()}`)
      })
      return context.newPage()
    },
    /** Runs one statement in a service's database, as the superuser. */
    query: <Row extends object>(
      service: 'contract' | 'signing',
      text: string,
      values: unknown[] = [],
    ): Promise<Row[]> =>
      withClient(databaseUrlOf(running.stack, service), async (client) => (await client.query<Row>(text, values)).rows),
    async close(): Promise<void> {
      await browser.close()
      await running.close()
    },
  }
}

export type Stage = Awaited<ReturnType<typeof openStage>>
