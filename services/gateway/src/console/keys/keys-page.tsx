// The pages of API access: the keys of an account, and the pages that confirm a revocation or rotation. [D28]
import type { Environment } from '@paraph/protocol/environment'
import { formatInstant } from '@paraph/web/dates'
import { LinkButton, fieldsWith, Radios, type FieldError } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { isolateNames } from '@paraph/web/names-in-words'
import { Disclosure, Details } from '@paraph/web/sheet'
import type { KeyStore } from '../../keys/key-store.js'
import { ConsoleFrame } from '../frame/console-frame.js'
import { Day, Instant } from '../frame/instant.js'
import type { PageProps } from '../frame/page-props.js'
import { Question } from '../frame/forms.js'
import { frameMessages } from '../frame/messages.js'
import { keyMessages } from './messages.js'
import { to } from '../frame/links.js'
import { BoldName, DataTable, Empty, Paper, Section } from '../frame/parts.js'
import { Code } from '../frame/copyable.js'

export type ShownKey = Omit<Awaited<ReturnType<KeyStore['list']>>[number], 'accountId' | 'displayStart'> & {
  /** Neither revoked nor expired. */
  isActive: boolean
}

/** The hint that lists show for a key: its prefix and last four characters. */
export const hintOf = ({ environment, lastFour }: Pick<ShownKey, 'environment' | 'lastFour'>): string =>
  `paraph_${environment === 'production' ? 'live' : 'test'}_…${lastFour}`

interface KeysPageProps {
  page: PageProps
  keys: readonly ShownKey[]
  /** The most active keys of each environment. */
  max: number
  mayCreate: boolean
  apiUrl: string
  timeZone: string
}

export function KeysPage({ page, keys, max, mayCreate, apiUrl, timeZone }: KeysPageProps) {
  const { locale } = page
  const text = keyMessages(locale)
  const active = keys.filter(({ isActive }) => isActive)
  const inactive = keys.filter(({ isActive }) => !isActive)
  const usedIn = (environment: Environment) => active.filter((key) => key.environment === environment).length
  return (
    <ConsoleFrame page={page} at="keys">
      <div class="head">
        <div>
          <h1>{text.title}</h1>
          <p class="soft">{text.lead(max, usedIn('production'), usedIn('sandbox'))}</p>
        </div>
        {mayCreate && (
          <LinkButton look="primary" href={to.newKey}>
            {text.create}
          </LinkButton>
        )}
      </div>
      {active.length === 0 ? (
        <Empty text={mayCreate ? text.none : text.notYet} />
      ) : (
        <KeyTable {...{ locale, timeZone, keys: active }} withActions mayRotate={mayCreate} />
      )}
      {inactive.length > 0 && (
        <Disclosure summary={text.gone(inactive.length)}>
          <KeyTable {...{ locale, timeZone, keys: inactive }} />
        </Disclosure>
      )}
      <Section title={text.sendIt}>
        <Code label={text.sendIt} text={`curl ${apiUrl}/status \\\n  -H "x-api-key: $PARAPH_KEY"`} />
      </Section>
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
  const text = keyMessages(locale)
  const heads = [text.key, text.environment, text.scopes, text.created, text.lastUsed]
  const actionsOn = ({ id, name }: ShownKey) => (
    <span class="row-actions">
      {mayRotate && (
        <a href={to.rotateKey(id)} aria-label={`${text.rotate}: ${name}`}>
          {text.rotate}
        </a>
      )}{' '}
      <a href={to.revokeKey(id)} aria-label={`${text.revoke}: ${name}`}>
        {text.revoke}
      </a>
    </span>
  )
  return (
    <DataTable
      label={text.title}
      heads={withActions ? [...heads, text.actions] : heads}
      rows={keys.map((key) => ({
        id: key.id,
        cells: [
          <>
            <BoldName name={key.name} />
            <div class="mono sub">{hintOf(key)}</div>
            <KeyEnd {...{ locale, timeZone, shown: key }} />
          </>,
          <EnvironmentTag {...{ environment: key.environment, locale }} />,
          key.scopes.map((scope) => (
            <div key={scope} class="mono line-of">
              {scope}
            </div>
          )),
          <Day at={key.createdAt} {...{ locale, timeZone }} />,
          key.lastUsedAt ? <Instant at={key.lastUsedAt} {...{ locale, timeZone }} /> : text.never,
          ...(withActions ? [actionsOn(key)] : []),
        ],
      }))}
    />
  )
}

function KeyEnd({ locale, timeZone, shown }: { locale: Locale; timeZone: string; shown: ShownKey }) {
  const text = keyMessages(locale)
  const { revokedAt, expiresAt, isActive } = shown
  const at = (instant: Date) => formatInstant(instant, locale, { timeZone })
  if (revokedAt) return <div class="sub soft">{text.revokedAt(at(revokedAt))}</div>
  if (!expiresAt) return null
  return <div class="sub soft">{isActive ? text.endsAt(at(expiresAt)) : text.endedAt(at(expiresAt))}</div>
}

export function EnvironmentTag({ environment, locale }: { environment: Environment; locale: Locale }) {
  return <span class={`tag tag-${environment}`}>{frameMessages(locale)[environment]}</span>
}

interface KeyQuestionProps {
  page: PageProps
  shown: ShownKey
  timeZone: string
}

export function RevokeKeyPage({ page, shown, timeZone, mayRotate }: KeyQuestionProps & { mayRotate: boolean }) {
  const text = keyMessages(page.locale)
  return (
    <Question
      page={page}
      at="keys"
      back={{ href: to.keys, text: text.title }}
      title={text.revokeTitle(shown.name)}
      heading={isolateNames(text.revokeTitle, shown.name)}
      action={to.revokeKey(shown.id)}
      button={text.revokeNow}
      leave={text.keepIt}
      lead={
        <>
          <KeyDetails {...{ page, timeZone, shown, label: text.key }} />
          <p>{text.revokeLead}</p>
          {mayRotate && (
            <p class="soft">
              {text.revokeInstead} <a href={to.rotateKey(shown.id)}>{text.rotate}</a>
            </p>
          )}
        </>
      }
    />
  )
}

/** Days for which the old key stays valid after a rotation. [D28] */
export const OVERLAPS = ['0', '1', '7'] as const

export function RotateKeyPage(props: KeyQuestionProps & { now: Date; formId: string; errors?: readonly FieldError[] }) {
  const { page, shown, timeZone, now, formId, errors = [] } = props
  const { locale } = page
  const text = keyMessages(locale)
  const inDays = (days: number) => formatInstant(new Date(now.getTime() + days * 86_400_000), locale, { timeZone })
  return (
    <Question
      {...{ page, errors, hidden: { formId } }}
      at="keys"
      back={{ href: to.keys, text: text.title }}
      title={text.rotateTitle(shown.name)}
      heading={isolateNames(text.rotateTitle, shown.name)}
      action={to.rotateKey(shown.id)}
      look="primary"
      button={text.rotateNow}
      leave={frameMessages(locale).goBack}
      lead={
        <>
          <p>{text.rotateLead}</p>
          <KeyDetails {...{ page, timeZone, shown, label: text.oldKey }} />
        </>
      }
    >
      <Radios
        {...fieldsWith({ overlap: '1' }, errors)('overlap')}
        legend={text.oldStops}
        choices={[
          { value: '0', label: text.atOnce },
          { value: '1', label: text.inOneDay, detail: inDays(1) },
          { value: '7', label: text.inSevenDays, detail: inDays(7) },
        ]}
      />
    </Question>
  )
}

function KeyDetails({ page: { locale }, timeZone, shown, label }: KeyQuestionProps & { label: string }) {
  const text = keyMessages(locale)
  return (
    <Paper>
      <Details
        rows={[
          { label, value: <span class="mono">{hintOf(shown)}</span> },
          { label: text.environment, value: frameMessages(locale)[shown.environment] },
          {
            label: text.lastUsed,
            value: shown.lastUsedAt ? <Instant at={shown.lastUsedAt} {...{ locale, timeZone }} /> : text.never,
          },
          { label: text.scopes, value: <span class="mono">{shown.scopes.join(' ')}</span> },
        ]}
      />
    </Paper>
  )
}
