// The keys of an account, and the pages that create, rotate and revoke one.
import * as shared from '@paraph/testing/test/sample-data-fixture'
import { API_URL, NOW } from '@paraph/testing/test/sample-data-fixture'
import type { PageProps } from '../../src/console/frame/page-props.js'
import { RevokeKeyPage, RotateKeyPage, KeysPage, type ShownKey } from '../../src/console/keys/keys-page.js'
import { KeyAlreadyPage, KeyOncePage, NewKeyPage } from '../../src/console/keys/new-key-pages.js'
import { keyMessages } from '../../src/console/keys/messages.js'
import { at, owned, TIME_ZONE, TRIAL, type CatalogueEntry } from './entry-fixture.js'

const SECRET = 'paraph_test_ExampleKeyDoNotUse4hT0wq8LrZ2Vb6Nm3Xs9c'

const key = (id: string, name: string, more: Partial<ShownKey> = {}): ShownKey => ({
  id,
  name,
  environment: 'production',
  lastFour: shared.KEY_LAST_FOUR,
  scopes: ['contracts:read', 'contracts:write'],
  createdAt: at('2026-07-08T08:04:31.000Z'),
  lastUsedAt: at('2026-11-24T12:08:17.000Z'),
  expiresAt: null,
  revokedAt: null,
  isActive: true,
  ...more,
})
const KEYS = [
  key('key_1', 'Order system'),
  key('key_2', 'Nightly report', {
    lastFour: 'mB0x',
    scopes: ['contracts:read'],
    createdAt: at('2026-11-03T10:20:06.000Z'),
    lastUsedAt: at('2026-11-24T02:00:11.000Z'),
    expiresAt: at('2027-02-01T10:20:06.000Z'),
  }),
  key('key_3', 'Continuous integration', {
    environment: 'sandbox',
    lastFour: 'Zk91',
    createdAt: at('2026-11-23T16:05:49.000Z'),
    lastUsedAt: null,
  }),
  key('key_4', 'First attempt', {
    lastFour: 'aa11',
    createdAt: at('2026-07-07T08:32:20.000Z'),
    isActive: false,
    revokedAt: at('2026-07-08T08:06:02.000Z'),
  }),
  key('key_5', 'Summer', {
    lastFour: 'bb22',
    createdAt: at('2026-07-15T13:11:57.000Z'),
    isActive: false,
    expiresAt: at('2026-10-13T13:11:57.000Z'),
  }),
]
const keys = (shown: readonly ShownKey[]) => (page: PageProps) => (
  <KeysPage
    {...{ page, keys: shown, max: 20, apiUrl: API_URL, timeZone: TIME_ZONE }}
    mayCreate={page.shell?.account?.access.step !== 'suspended'}
  />
)

export const keyPages: readonly CatalogueEntry[] = [
  owned('console-06-api-access', keys(KEYS)),
  owned('console-06n-api-access-none', keys([]), 200, TRIAL),
  owned('console-06p-past-due', keys(KEYS), 200, {
    step: 'past_due',
    tier: 'startup',
    keysStopAt: at('2026-11-30T23:59:59.999Z'),
  }),
  owned('console-06h-on-hold', keys(KEYS), 200, { step: 'suspended' }),
  owned('console-07-key-create', (page) => (
    <NewKeyPage
      {...{ page, formId: 'sample', mayUseProduction: true }}
      typed={{
        name: 'Order system',
        environment: 'sandbox',
        scopes: ['contracts:read', 'contracts:write'],
        life: 'never',
      }}
    />
  )),
  owned(
    'console-07e-key-errors',
    (page) => {
      const text = keyMessages(page.locale)
      return (
        <NewKeyPage
          {...{ page, formId: 'sample', mayUseProduction: false }}
          typed={{ name: '', environment: 'production', scopes: [], life: 'never' }}
          errors={[
            { field: 'name', message: text.nameMissing },
            { field: 'environment', message: text.noProduction },
            { field: 'scopes', message: text.scopesMissing },
          ]}
        />
      )
    },
    422,
  ),
  owned(
    'console-08-key-once',
    (page) => (
      <KeyOncePage {...{ page, keyName: 'Order system', environment: 'sandbox', secret: SECRET, apiUrl: API_URL }} />
    ),
    201,
  ),
  owned('console-08a-key-already', (page) => <KeyAlreadyPage page={page} />, 409),
  owned('console-09-key-revoke', (page) => (
    <RevokeKeyPage {...{ page, shown: KEYS[1]!, timeZone: TIME_ZONE }} mayRotate />
  )),
  owned('console-09r-key-rotate', (page) => (
    <RotateKeyPage {...{ page, shown: KEYS[0]!, timeZone: TIME_ZONE, now: NOW, formId: 'sample' }} />
  )),
]
