// API access: the list, a new key, the key shown once, rotation, revocation. [Authentication, D28]
import type { ComponentChildren } from 'preact'
import type { Environment, Scope } from '@paraph/protocol/caller'
import { formatInstant } from '@paraph/web/dates'
import { Button, LinkButton, Radios, Select, TextField, TickBox, TickBoxes, type FieldError } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { setNames } from '@paraph/web/names-in-words'
import { Disclosure, Facts, Sheet } from '@paraph/web/sheet'
import { ConsoleForm, ConsoleFrame, Instant, type PageProps } from './console-frame.js'
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

/** Days after which a new key ends; undefined for never. */
export const KEY_LIVES = { never: undefined, '30': 30, '90': 90, '365': 365 } as const
export type KeyLife = keyof typeof KEY_LIVES

export interface TypedKey {
  name: string
  environment: string
  scopes: readonly string[]
  life: string
}

/** 200, or 422 with what is wrong. */
export function NewKeyPage(props: {
  page: PageProps
  typed: TypedKey
  formId: string
  mayUseProduction: boolean
  errors?: readonly FieldError[]
}) {
  const { page, typed, formId, mayUseProduction, errors = [] } = props
  const say = keyWords(page.locale)
  const frame = frameWords(page.locale)
  const errorOf = (field: string) => errors.find((error) => error.field === field)?.message
  return (
    <ConsoleFrame page={page} title={say.create} at="keys" width="form" errors={errors}>
      <BackToKeys page={page} />
      <h1>{say.create}</h1>
      <ConsoleForm page={page} action={to.newKey} hidden={{ formId }}>
        <TextField
          name="name"
          label={say.name}
          hint={say.nameHint}
          error={errorOf('name')}
          value={typed.name}
          autocomplete="off"
        />
        <Radios
          name="environment"
          legend={say.environment}
          error={errorOf('environment')}
          value={typed.environment}
          choices={[
            { value: 'sandbox', label: frame.sandbox, detail: say.sandboxDetail },
            {
              ...{ value: 'production', label: frame.production },
              detail: mayUseProduction ? say.productionDetail : say.noProduction,
            },
          ]}
        />
        <TickBoxes
          name="scopes"
          legend={say.scopes}
          error={errorOf('scopes')}
          values={typed.scopes}
          choices={[
            { value: 'contracts:read', label: <span class="mono">contracts:read</span>, detail: say.readDetail },
            { value: 'contracts:write', label: <span class="mono">contracts:write</span>, detail: say.writeDetail },
          ]}
        />
        <Select
          name="life"
          label={say.ends}
          error={errorOf('life')}
          value={typed.life}
          choices={[
            { value: 'never', label: say.never },
            { value: '30', label: say.inDays(30) },
            { value: '90', label: say.inDays(90) },
            { value: '365', label: say.inAYear },
          ]}
        />
        <div class="actions">
          <Button look="primary">{say.createNow}</Button>
          <a class="plain-link" href={to.keys}>
            {frame.goBack}
          </a>
        </div>
      </ConsoleForm>
    </ConsoleFrame>
  )
}

/** The answer to the POST that made the key: never stored, never shown again. @param sample a first contract, for the sandbox */
export function KeyOncePage(props: {
  page: PageProps
  keyName: string
  environment: Environment
  secret: string
  apiUrl: string
  /** When the key that this one replaces ends. */
  oldEndsAt?: Date | undefined
}) {
  const { page, keyName, environment, secret, apiUrl, oldEndsAt } = props
  const { locale } = page
  const say = keyWords(locale)
  const mailbox = page.shell?.mailbox ?? ''
  return (
    <ConsoleFrame page={{ ...page, path: undefined }} title={say.onceTitle} at="keys" scripts>
      <h1>{say.onceTitle}</h1>
      <p class="soft head-lead">{say.onceLead}</p>
      <Sheet
        parts={[
          <>
            <p class="key-name">
              <strong>
                <bdi>{keyName}</bdi>
              </strong>{' '}
              <EnvironmentTag {...{ environment, locale }} />
            </p>
            <div class="key-field">
              <input
                class="input mono"
                id="secret"
                type="text"
                readOnly
                value={secret}
                aria-label={say.key}
                autocomplete="off"
                spellcheck={false}
              />
              <button class="button button-primary" type="button" data-copy="secret" data-copied={say.copied} hidden>
                {say.copy}
              </button>
            </div>
            <p class="hint">{say.copyHint}</p>
            {oldEndsAt && <p>{say.oldEnds(formatInstant(oldEndsAt, locale))}</p>}
          </>,
        ]}
      />
      <section class="apart">
        <h2>{say.tryIt}</h2>
        <Code label={say.tryIt} text={`curl ${apiUrl}/status \\\n  -H "x-api-key: ${secret}"`} />
        <p class="hint">
          {say.tryStatus} <code>"status": "operational"</code>.
        </p>
      </section>
      {environment === 'sandbox' && (
        <section class="apart">
          <h2>{say.firstContract}</h2>
          <Code label={say.firstContract} text={firstContract(apiUrl, secret, mailbox)} />
          <p class="hint">{setNames(say.firstContractLead, mailbox)}</p>
        </section>
      )}
      <form class="apart" method="get" action={to.keys}>
        <TickBox name="stored" label={say.stored} />
        <Button look="quiet">{say.toKeys}</Button>
      </form>
    </ConsoleFrame>
  )
}

/** A whole curl line that makes a contract of the reader and somebody else. Nothing in it needs to be filled in. */
function firstContract(apiUrl: string, secret: string, mailbox: string): string {
  const body = {
    contractType: 'nda',
    content: 'Each of us keeps the secrets of the other.',
    parties: [
      { role: 'Discloser', legalName: 'First Party', email: mailbox },
      { role: 'Recipient', legalName: 'Second Party', email: mailbox },
    ],
  }
  const json = JSON.stringify(body, undefined, 2).replaceAll("'", "'\\''")
  return [
    `curl ${apiUrl}/contracts \\`,
    `  -H "x-api-key: ${secret}" \\`,
    `  -H "content-type: application/json" \\`,
    `  -d '${json}'`,
  ].join('\n')
}

/** 409: a second click, or Back and the button again. */
export function KeyAlreadyPage({ page }: { page: PageProps }) {
  const say = keyWords(page.locale)
  return (
    <ConsoleFrame page={page} title={say.alreadyTitle} at="keys" width="form">
      <h1>{say.alreadyTitle}</h1>
      <p class="lead">{say.alreadyLead}</p>
      <div class="actions">
        <LinkButton look="primary" href={to.keys}>
          {say.toKeys}
        </LinkButton>
      </div>
    </ConsoleFrame>
  )
}

export function RevokeKeyPage(props: { page: PageProps; shown: ShownKey; timeZone: string; mayRotate: boolean }) {
  const { page, shown, timeZone, mayRotate } = props
  const { locale } = page
  const say = keyWords(locale)
  return (
    <KeyQuestion page={page} title={setNames(say.revokeTitle, shown.name)} plainTitle={say.revokeTitle(shown.name)}>
      <KeyFacts {...{ locale, timeZone, shown, label: say.key }} />
      <p>{say.revokeLead}</p>
      {mayRotate && (
        <p class="soft">
          {say.revokeInstead} <a href={to.rotateKey(shown.id)}>{say.rotate}</a>
        </p>
      )}
      <ConsoleForm page={page} action={to.revokeKey(shown.id)}>
        <div class="actions">
          <Button look="danger">{say.revokeNow}</Button>
          <a class="plain-link" href={to.keys}>
            {say.keepIt}
          </a>
        </div>
      </ConsoleForm>
    </KeyQuestion>
  )
}

/** Days that a rotated key lives on. [D28] */
export const OVERLAPS = ['0', '1', '7'] as const

export function RotateKeyPage(props: {
  page: PageProps
  shown: ShownKey
  timeZone: string
  now: Date
  formId: string
  errors?: readonly FieldError[]
}) {
  const { page, shown, timeZone, now, formId, errors = [] } = props
  const { locale } = page
  const say = keyWords(locale)
  const inDays = (days: number) => formatInstant(new Date(now.getTime() + days * 86_400_000), locale, { timeZone })
  const title = setNames(say.rotateTitle, shown.name)
  return (
    <KeyQuestion {...{ page, title, errors }} plainTitle={say.rotateTitle(shown.name)}>
      <p>{say.rotateLead}</p>
      <KeyFacts {...{ locale, timeZone, shown, label: say.oldKey }} />
      <ConsoleForm page={page} action={to.rotateKey(shown.id)} hidden={{ formId }}>
        <Radios
          name="overlap"
          legend={say.oldStops}
          error={errors[0]?.message}
          value="1"
          choices={[
            { value: '0', label: say.atOnce },
            { value: '1', label: say.inOneDay, detail: inDays(1) },
            { value: '7', label: say.inSevenDays, detail: inDays(7) },
          ]}
        />
        <div class="actions">
          <Button look="primary">{say.rotateNow}</Button>
          <a class="plain-link" href={to.keys}>
            {frameWords(locale).goBack}
          </a>
        </div>
      </ConsoleForm>
    </KeyQuestion>
  )
}

function KeyQuestion(props: {
  page: PageProps
  title: ComponentChildren
  plainTitle: string
  errors?: readonly FieldError[]
  children: ComponentChildren
}) {
  return (
    <ConsoleFrame page={props.page} title={props.plainTitle} at="keys" width="form" errors={props.errors ?? []}>
      <BackToKeys page={props.page} />
      <h1>{props.title}</h1>
      {props.children}
    </ConsoleFrame>
  )
}

function KeyFacts(props: { locale: Locale; timeZone: string; shown: ShownKey; label: string }) {
  const { locale, timeZone, shown, label } = props
  const say = keyWords(locale)
  const frame = frameWords(locale)
  return (
    <Sheet
      parts={[
        <Facts
          facts={[
            { label, value: <span class="mono">{hintOf(shown)}</span> },
            {
              label: say.environment,
              value: shown.environment === 'production' ? frame.production : frame.sandbox,
            },
            {
              label: say.lastUsed,
              value: shown.lastUsedAt ? <Instant at={shown.lastUsedAt} {...{ locale, timeZone }} /> : say.never,
            },
            { label: say.scopes, value: <span class="mono">{shown.scopes.join(' ')}</span> },
          ]}
        />,
      ]}
    />
  )
}

const BackToKeys = ({ page }: { page: PageProps }) => (
  <p class="back">
    <a href={to.keys}>{keyWords(page.locale).title}</a>
  </p>
)
