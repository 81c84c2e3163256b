// The pages that revoke a key and rotate it with an overlap. [D28]
import type { ComponentChildren } from 'preact'
import { formatInstant } from '@paraph/web/dates'
import { Radios, type FieldError } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { isolateNames } from '@paraph/web/names-in-words'
import { Details, Sheet } from '@paraph/web/sheet'
import { ConsoleForm, ConsoleFrame, Instant, type PageProps } from '../frame/console-frame.js'
import { frameMessages } from '../frame/messages.js'
import { keyMessages } from './messages.js'
import { to } from '../frame/links.js'
import { Back, FormActions } from '../frame/parts.js'
import { type ShownKey, hintOf } from './keys-page.js'

export function RevokeKeyPage(props: { page: PageProps; shown: ShownKey; timeZone: string; mayRotate: boolean }) {
  const { page, shown, timeZone, mayRotate } = props
  const { locale } = page
  const text = keyMessages(locale)
  return (
    <KeyQuestion
      page={page}
      title={isolateNames(text.revokeTitle, shown.name)}
      plainTitle={text.revokeTitle(shown.name)}
    >
      <KeyDetails {...{ locale, timeZone, shown, label: text.key }} />
      <p>{text.revokeLead}</p>
      {mayRotate && (
        <p class="soft">
          {text.revokeInstead} <a href={to.rotateKey(shown.id)}>{text.rotate}</a>
        </p>
      )}
      <ConsoleForm page={page} action={to.revokeKey(shown.id)}>
        <FormActions look="danger" text={text.revokeNow} leave={{ href: to.keys, text: text.keepIt }} />
      </ConsoleForm>
    </KeyQuestion>
  )
}

/** Days that a rotated key stays valid. [D28] */
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
  const text = keyMessages(locale)
  const inDays = (days: number) => formatInstant(new Date(now.getTime() + days * 86_400_000), locale, { timeZone })
  const title = isolateNames(text.rotateTitle, shown.name)
  return (
    <KeyQuestion {...{ page, title, errors }} plainTitle={text.rotateTitle(shown.name)}>
      <p>{text.rotateLead}</p>
      <KeyDetails {...{ locale, timeZone, shown, label: text.oldKey }} />
      <ConsoleForm page={page} action={to.rotateKey(shown.id)} hidden={{ formId }}>
        <Radios
          name="overlap"
          legend={text.oldStops}
          error={errors[0]?.message}
          value="1"
          choices={[
            { value: '0', label: text.atOnce },
            { value: '1', label: text.inOneDay, detail: inDays(1) },
            { value: '7', label: text.inSevenDays, detail: inDays(7) },
          ]}
        />
        <FormActions
          look="primary"
          text={text.rotateNow}
          leave={{ href: to.keys, text: frameMessages(locale).goBack }}
        />
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

function KeyDetails(props: { locale: Locale; timeZone: string; shown: ShownKey; label: string }) {
  const { locale, timeZone, shown, label } = props
  const text = keyMessages(locale)
  const frame = frameMessages(locale)
  return (
    <Sheet
      parts={[
        <Details
          rows={[
            { label, value: <span class="mono">{hintOf(shown)}</span> },
            { label: text.environment, value: shown.environment === 'production' ? frame.production : frame.sandbox },
            {
              label: text.lastUsed,
              value: shown.lastUsedAt ? <Instant at={shown.lastUsedAt} {...{ locale, timeZone }} /> : text.never,
            },
            { label: text.scopes, value: <span class="mono">{shown.scopes.join(' ')}</span> },
          ]}
        />,
      ]}
    />
  )
}

export const BackToKeys = ({ page }: { page: PageProps }) => (
  <Back href={to.keys}>{keyMessages(page.locale).title}</Back>
)
