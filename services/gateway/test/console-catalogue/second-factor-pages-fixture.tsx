// The pages of passkeys, recovery codes and fresh proofs.
import { OPERATOR_ADDRESS, OWNER } from '@paraph/testing/test/sample-data-fixture'
import { NewPasskeyPage, NewRecoveryCodesPage } from '../../src/console/second-factor/passkey-pages.js'
import { ProveCodePage, ProvePage, ProveWaitPage } from '../../src/console/second-factor/prove-pages.js'
import { RecoveryCodesPage, SecondFactorPage } from '../../src/console/second-factor/second-factor-pages.js'
import { secondFactorMessages } from '../../src/console/second-factor/messages.js'
import { owned, solo, TRY_AGAIN_AT, type CatalogueEntry } from './entry-fixture.js'

const NEXT = '/console/account'
const GET = { kind: 'get', options: {} } as const
const CREATE = { kind: 'create', options: {} } as const
const NAME = 'Firefox 144 on Linux'
const CODES = ['7k2mq-x04td', 'p9c3w-h6vz8', '0rj5e-yq2nb', 'm4t8a-d1xkg', 'zw6hp-93fcs'].concat([
  'b2vqe-5k7jm',
  'g8n0r-tw4xy',
  '3dahz-c6p9q',
  'xe1kf-0m8vt',
  '6sb4j-r2hwn',
])

export const secondFactorPages: readonly CatalogueEntry[] = [
  solo('console-28-second-factor', (page) => (
    <SecondFactorPage {...{ page, mailbox: OWNER, next: NEXT, asked: GET, name: NAME }} />
  )),
  solo(
    'console-28e-recovery-code-wrong',
    (page) => {
      const errors = [{ field: 'code', message: secondFactorMessages(page.locale).codeWrong }]
      return <SecondFactorPage {...{ page, mailbox: OWNER, next: NEXT, asked: GET, name: NAME, errors }} />
    },
    422,
  ),
  solo('console-28f-first-passkey', (page) => (
    <SecondFactorPage {...{ page, mailbox: OPERATOR_ADDRESS, next: NEXT, asked: CREATE, name: NAME }} />
  )),
  solo('console-28c-recovery-codes', (page) => <RecoveryCodesPage {...{ page, codes: CODES, next: NEXT }} />, 201),
  owned('console-28a-new-passkey', (page) => <NewPasskeyPage {...{ page, asked: CREATE, name: NAME }} />),
  owned('console-28n-new-recovery-codes', (page) => <NewRecoveryCodesPage page={page} />),
  owned('console-29-prove-passkey', (page) => (
    <ProvePage {...{ page, next: NEXT }} by={{ kind: 'passkey', asked: GET }} />
  )),
  owned('console-29m-prove-code', (page) => (
    <ProvePage {...{ page, next: NEXT }} by={{ kind: 'code', mailbox: OWNER }} />
  )),
  owned('console-29i-prove-issuer', (page) => (
    <ProvePage
      {...{ page, next: NEXT }}
      by={{ kind: 'issuer', href: '/console/prove/issuer', mailbox: 'anna@example.com' }}
    />
  )),
  owned('console-29c-prove-code-sent', (page) => (
    <ProveCodePage
      {...{ page, next: NEXT, email: OWNER, digits: 8 }}
      challenge="sample-challenge"
      state={{ kind: 'sent' }}
    />
  )),
  owned('console-29w-prove-wait', (page) => <ProveWaitPage {...{ page, next: NEXT }} tryAgainAt={TRY_AGAIN_AT} />, 429),
]
