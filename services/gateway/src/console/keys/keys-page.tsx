// API access: the keys of an account.
import type { Environment, Scope } from '@paraph/protocol/caller'
import { formatInstant } from '@paraph/web/dates'
import { LinkButton } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { setNames } from '@paraph/web/names-in-words'
import { Disclosure } from '@paraph/web/sheet'
import { ConsoleFrame, Instant, type PageProps } from './console-frame.js'
import { frameWords } from './frame-words.js'
import { keyWords } from './key-words.js'
import { to } from './links.js'
import { Code, DataTable, Tag } from './parts.js'

export interface ShownKey {
  id: string
  name: string
  environment: Environment
  lastFour: string
  scopes: readonly Scope[]
  createdAt: Date
  lastUsedAt: Date | null
  expiresAt: Date | null
  revokedAt: Date | null
  /** Neither revoked nor past its end. */
  isActive: boolean
}

/** What lists show of a key: how it begins and its last four. */
export const hintOf = ({ environment, lastFour }: Pick<ShownKey, 'environment' | 'lastFour'>): string =>
  `paraph_${environment === 'production' ? 'live' : 'test'}_…${lastFour}`

interface KeysPageProps {
  page: PageProps
  accountName: string
  keys: readonly ShownKey[]
  /** Active ones in the fuller environment, and the most there may be. */
  used: number
  max: number
  mayCreate: boolean
  apiUrl: string
  timeZone: string
}

export function KeysPage({ page, accountName, keys, used, max, mayCreate, apiUrl, timeZone }: KeysPageProps) {
  const { locale } = page
  const say = keyWords(locale)
  const active = keys.filter(({ isActive }) => isActive)
  const gone = keys.filter(({ isActive }) => !isActive)
  return (
    <ConsoleFrame page={page} title={say.title} at="keys">
      <div class="head">
        <div>
          <h1>{say.title}</h1>
          <p class="soft">{setNames((name) => say.lead(name, used, max), accountName)}</p>
        </div>
        {mayCreate && (
          <LinkButton look="primary" href={to.newKey}>
            {say.create}
          </LinkButton>
        )}
      </div>
      {active.length === 0 ? (
        <div class="empty">
          <hr class="bare-line" />
          <p>{mayCreate ? say.none : say.notYet}</p>
        </div>
      ) : (
        <KeyTable {...{ locale, timeZone, keys: active }} withActions mayRotate={mayCreate} />
      )}
      {gone.length > 0 && (
        <Disclosure summary={say.gone(gone.length)}>
          <KeyTable {...{ locale, timeZone, keys: gone }} />
        </Disclosure>
      )}
      <section class="apart">
        <h2>{say.sendIt}</h2>
        <Code label={say.sendIt} text={`curl ${apiUrl}/status \\\n  -H "x-api-key: $PARAPH_KEY"`} />
      </section>
    </ConsoleFrame>
  )
}

function KeyTable(props: {
  locale: Locale
  timeZone: string
  keys: readonly ShownKey[]
  withActions?: boolean
  mayRotate?: boolean
}) {
  const { locale, timeZone, keys, withActions = false, mayRotate = false } = props
  const say = keyWords(locale)
  return (
    <DataTable
      label={say.title}
      heads={[say.key, say.environment, say.scopes, say.created, say.lastUsed, ...(withActions ? [say.actions] : [])]}
      rows={keys.map((key) => ({
        id: key.id,
        cells: [
          <>
            <strong>
              <bdi>{key.name}</bdi>
            </strong>
            <span class="mono sub">{hintOf(key)}</span>
            <KeyEnd {...{ locale, timeZone, shown: key }} />
          </>,
          <EnvironmentTag {...{ environment: key.environment, locale }} />,
          key.scopes.map((scope) => (
            <span key={scope} class="mono line-of">
              {scope}
            </span>
          )),
          <Instant at={key.createdAt} {...{ locale, timeZone }} />,
          key.lastUsedAt ? <Instant at={key.lastUsedAt} {...{ locale, timeZone }} /> : say.never,
          ...(withActions
            ? [
                <span class="row-actions">
                  {mayRotate && (
                    <a href={to.rotateKey(key.id)} aria-label={`${say.rotate}: ${key.name}`}>
                      {say.rotate}
                    </a>
                  )}
                  <a href={to.revokeKey(key.id)} aria-label={`${say.revoke}: ${key.name}`}>
                    {say.revoke}
                  </a>
                </span>,
              ]
            : []),
        ],
      }))}
    />
  )
}

function KeyEnd({ locale, timeZone, shown }: { locale: Locale; timeZone: string; shown: ShownKey }) {
  const say = keyWords(locale)
  const { revokedAt, expiresAt, isActive } = shown
  const at = (instant: Date) => formatInstant(instant, locale, { timeZone })
  if (revokedAt) return <span class="sub soft">{say.revokedAt(at(revokedAt))}</span>
  if (!expiresAt) return null
  return <span class="sub soft">{isActive ? say.endsAt(at(expiresAt)) : say.endedAt(at(expiresAt))}</span>
}

export function EnvironmentTag({ environment, locale }: { environment: Environment; locale: Locale }) {
  const say = frameWords(locale)
  return <Tag look={environment}>{environment === 'production' ? say.production : say.sandbox}</Tag>
}
