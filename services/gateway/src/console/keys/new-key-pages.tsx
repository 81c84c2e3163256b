// A new key: the form, the one page that shows it, and what a second click reads. [D28]
import type { Environment } from '@paraph/protocol/caller'
import { formatInstant } from '@paraph/web/dates'
import { Button, LinkButton, Radios, Select, TextField, TickBox, TickBoxes, type FieldError } from '@paraph/web/fields'
import { setNames } from '@paraph/web/names-in-words'
import { Sheet } from '@paraph/web/sheet'
import { ConsoleForm, ConsoleFrame, type PageProps } from './console-frame.js'
import { frameWords } from './frame-words.js'
import { keyWords } from './key-words.js'
import { to } from './links.js'
import { Code } from './parts.js'
import { EnvironmentTag } from './keys-page.js'
import { BackToKeys } from './key-end-pages.js'

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
