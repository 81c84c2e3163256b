// A key’s end: revoked, or rotated with an overlap. [D28]
import type { ComponentChildren } from 'preact'
import { formatInstant } from '@paraph/web/dates'
import { Button, Radios, type FieldError } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { setNames } from '@paraph/web/names-in-words'
import { Facts, Sheet } from '@paraph/web/sheet'
import { ConsoleForm, ConsoleFrame, Instant, type PageProps } from './console-frame.js'
import { frameWords } from './frame-words.js'
import { keyWords } from './key-words.js'
import { to } from './links.js'
import { type ShownKey, hintOf } from './keys-page.js'

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

export const BackToKeys = ({ page }: { page: PageProps }) => (
  <p class="back">
    <a href={to.keys}>{keyWords(page.locale).title}</a>
  </p>
)
