// The test mailbox with mails, without one, and one mail.
import * as shared from '@paraph/testing/test/sample-data-fixture'
import { TestMailPage, TestMailsPage, type ListedMail } from '../../src/console/test-mail/test-mail-pages.js'
import { owned, TIME_ZONE, TRIAL, type CatalogueEntry } from './entry-fixture.js'

const mail = (id: number, kind: ListedMail['kind'], subject: string): ListedMail => ({
  id,
  contractId: 'contract-1795183380000-k3v9x2m1q',
  kind,
  at: `2026-11-24T12:0${id}:17.000Z`,
  to: id % 2 ? 'signs+buyer@simulator.test' : 'noor.ahmed@lakesidebakery.example',
  subject: `[TEST] ${subject}`,
})
const MAILS = [
  mail(9, 'completed', 'Everyone has signed / Tout le monde a signé'),
  mail(8, 'code', '482913 is your code / est votre code'),
  mail(7, 'invitation', 'Contract to sign / Contrat à signer'),
]
const TEXT = `Test contract - not legally binding

${shared.SENDER_NAME} asks you to sign a contract.

Read it and sign:
${shared.SHARE_URL}`

export const testMailPages: readonly CatalogueEntry[] = [
  owned('console-23-test-mail', (page) => <TestMailsPage {...{ page, mails: MAILS, timeZone: TIME_ZONE }} />),
  owned(
    'console-23n-test-mail-none',
    (page) => <TestMailsPage {...{ page, mails: [], timeZone: TIME_ZONE }} />,
    200,
    TRIAL,
  ),
  owned('console-24-test-mail-one', (page) => (
    <TestMailPage {...{ page, timeZone: TIME_ZONE }} mail={{ ...MAILS[2]!, text: TEXT, html: '' }} />
  )),
]
