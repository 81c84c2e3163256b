// The pages of a new key: the form, the page that shows the key once, and the page after a repeated form. [D28]
import type { Environment } from '@paraph/protocol/environment'
import { formatInstant } from '@paraph/web/dates'
import { Button, fieldsWith, Radios, Select, TextField, TickBox, TickBoxes, type FieldError } from '@paraph/web/fields'
import { isolateNames } from '@paraph/web/names-in-words'
import { ConsoleFrame } from '../frame/console-frame.js'
import type { PageProps } from '../frame/page-props.js'
import { Question } from '../frame/forms.js'
import { frameMessages } from '../frame/messages.js'
import { keyMessages } from './messages.js'
import { to, withNext } from '../frame/links.js'
import { secondFactorMessages } from '../second-factor/messages.js'
import { ActionLinks, BoldName, Paper, Section } from '../frame/parts.js'
import { Code, CopyButton } from '../frame/copyable.js'
import { EnvironmentTag } from './keys-page.js'

/** Lifetimes of a new key, in days; undefined: no expiry. */
export const KEY_LIVES = { never: undefined, '30': 30, '90': 90, '365': 365 } as const
export type KeyLife = keyof typeof KEY_LIVES

export interface TypedKey {
  name: string
  environment: string
  scopes: readonly string[]
  life: string
}

/** Status 200, or 422 with errors. */
export function NewKeyPage(props: {
  page: PageProps
  typed: TypedKey
  formId: string
  mayUseProduction: boolean
  errors?: readonly FieldError[]
}) {
  const { page, typed, formId, mayUseProduction, errors = [] } = props
  const text = keyMessages(page.locale)
  const frame = frameMessages(page.locale)
  const field = fieldsWith(typed, errors)
  const mustProve = mayUseProduction && !page.isProven
  return (
    <Question
      {...{ page, errors, hidden: { formId } }}
      at="keys"
      back={{ href: to.keys, text: text.title }}
      title={text.create}
      action={to.newKey}
      look="primary"
      button={text.createNow}
      leave={frame.goBack}
      lead={
        mustProve && (
          <p class="soft">
            {text.proveForProduction}{' '}
            <a href={withNext(to.prove, to.newKey)}>{secondFactorMessages(page.locale).proveTitle}</a>
          </p>
        )
      }
    >
      <TextField {...field('name')} label={text.name} hint={text.nameHint} autocomplete="off" />
      <Radios
        {...field('environment')}
        legend={text.environment}
        choices={[
          { value: 'sandbox', label: frame.sandbox, detail: text.sandboxDetail },
          ...(mustProve
            ? []
            : [
                {
                  value: 'production',
                  label: frame.production,
                  detail: mayUseProduction ? text.productionDetail : text.noProduction,
                },
              ]),
        ]}
      />
      <TickBoxes
        {...field('scopes')}
        legend={text.scopes}
        values={typed.scopes}
        choices={[
          { value: 'contracts:read', label: <span class="mono">contracts:read</span>, detail: text.readDetail },
          { value: 'contracts:write', label: <span class="mono">contracts:write</span>, detail: text.writeDetail },
        ]}
      />
      <Select
        {...field('life')}
        label={text.ends}
        choices={[
          { value: 'never', label: text.never },
          { value: '30', label: text.inDays(30) },
          { value: '90', label: text.inDays(90) },
          { value: '365', label: text.inAYear },
        ]}
      />
    </Question>
  )
}

/** The response to the POST that created the key, which no other page shows. For a sandbox key, includes a first request. */
export function KeyOncePage(props: {
  page: PageProps
  keyName: string
  environment: Environment
  secret: string
  apiUrl: string
  /** When the replaced key expires. */
  oldEndsAt?: Date | undefined
}) {
  const { page, keyName, environment, secret, apiUrl, oldEndsAt } = props
  const { locale } = page
  const text = keyMessages(locale)
  const mailbox = page.shell?.mailbox ?? ''
  return (
    <ConsoleFrame page={{ ...page, path: undefined }} title={text.onceTitle} at="keys">
      <h1>{text.onceTitle}</h1>
      <p class="soft head-lead">{text.onceLead}</p>
      <Paper>
        <p class="key-name">
          <BoldName name={keyName} /> <EnvironmentTag {...{ environment, locale }} />
        </p>
        <div class="key-field">
          <input
            class="input mono"
            id="secret"
            type="text"
            readOnly
            value={secret}
            aria-label={text.key}
            autocomplete="off"
            spellcheck={false}
          />
          <CopyButton locale={locale} from="secret" look="primary" />
        </div>
        <p class="hint">{text.copyHint}</p>
        {oldEndsAt && <p>{text.oldEnds(formatInstant(oldEndsAt, locale))}</p>}
      </Paper>
      <Section title={text.tryIt}>
        <Code
          label={text.tryIt}
          copy={{ locale, id: 'try-it' }}
          text={`curl ${apiUrl}/status \\\n  -H "x-api-key: ${secret}"`}
        />
        <p class="hint">
          {text.tryStatus} <code>"status": "operational"</code>.
        </p>
      </Section>
      {environment === 'sandbox' && (
        <Section title={text.firstContract}>
          <Code
            label={text.firstContract}
            copy={{ locale, id: 'first-contract' }}
            text={firstContract(apiUrl, secret, mailbox)}
          />
          <p class="hint">{isolateNames(text.firstContractLead, mailbox)}</p>
        </Section>
      )}
      <form class="apart" method="get" action={to.keys}>
        <TickBox name="stored" label={text.stored} />
        <Button look="quiet">{text.toKeys}</Button>
      </form>
    </ConsoleFrame>
  )
}

/** A curl command that creates a contract. It runs unchanged, because both parties have the reader's mailbox. */
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

/** Status 409: the form was sent twice, by a second click or after Back. */
export function KeyAlreadyPage({ page }: { page: PageProps }) {
  const text = keyMessages(page.locale)
  return (
    <ConsoleFrame page={page} title={text.alreadyTitle} at="keys" width="form">
      <h1>{text.alreadyTitle}</h1>
      <p class="lead">{text.alreadyLead}</p>
      <ActionLinks links={[{ href: to.keys, text: text.toKeys, look: 'primary' }]} />
    </ConsoleFrame>
  )
}
