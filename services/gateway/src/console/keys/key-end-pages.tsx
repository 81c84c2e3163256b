// The pages that revoke a key and rotate it with an overlap. [D28]
import { formatInstant } from '@paraph/web/dates'
import { fieldsWith, Radios, type FieldError } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { isolateNames } from '@paraph/web/names-in-words'
import { Details, Sheet } from '@paraph/web/sheet'
import { Instant, type PageProps } from '../frame/console-frame.js'
import { frameMessages } from '../frame/messages.js'
import { keyMessages } from './messages.js'
import { to } from '../frame/links.js'
import { Question } from '../frame/question.js'
import { type ShownKey, hintOf } from './keys-page.js'

interface KeyQuestionProps {
  page: PageProps
  shown: ShownKey
  timeZone: string
}

export function RevokeKeyPage({ page, shown, timeZone, mayRotate }: KeyQuestionProps & { mayRotate: boolean }) {
  const { locale } = page
  const text = keyMessages(locale)
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
          <KeyDetails {...{ locale, timeZone, shown, label: text.key }} />
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

/** Days that a rotated key stays valid. [D28] */
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
          <KeyDetails {...{ locale, timeZone, shown, label: text.oldKey }} />
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

interface KeyDetailsProps {
  locale: Locale
  timeZone: string
  shown: ShownKey
  label: string
}

function KeyDetails({ locale, timeZone, shown, label }: KeyDetailsProps) {
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
