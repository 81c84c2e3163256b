// The pages of an application for access: form, pending, refused, withdrawal. [Authentication, D38]
import { CONTRACT_TYPES, type ContractType } from '@paraph/protocol/contract'
import { contractTypeNames } from '@paraph/web/contract-type-names'
import { formatInstant } from '@paraph/web/dates'
import {
  fieldsWith,
  LinkButton,
  Select,
  TextArea,
  TextField,
  TickBox,
  TickBoxes,
  type FieldError,
} from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { isolateNames } from '@paraph/web/names-in-words'
import { Details, Sheet } from '@paraph/web/sheet'
import { VOLUME_NAMES } from '../../accounts/application.js'
import type { ApplicationField, FieldErrorKind, TypedApplication } from '../../accounts/application.js'
import type { Application } from '../../accounts/application-store.js'
import { accountMessages } from './messages.js'
import { zonesWith } from './time-zones.js'
import { applicationMessages, volumeMessages } from './application-messages.js'
import { SoloFrame } from '../frame/console-frame.js'
import type { PageProps } from '../frame/page-props.js'
import { ConsoleForm } from '../frame/forms.js'
import { to } from '../frame/links.js'
import { ActionLinks, FormActions, Section } from '../frame/parts.js'

type FormErrors = Partial<Record<ApplicationField | 'terms', FieldErrorKind>>

/** Status 200, or 422 with errors. @param isChange for a change of a pending application, whose terms the owner has accepted already */
export function ApplicationPage(props: {
  page: PageProps
  typed: TypedApplication
  formErrors?: FormErrors
  isChange: boolean
}) {
  const { page, typed, formErrors = {}, isChange } = props
  const { locale } = page
  const text = applicationMessages(locale)
  const errors = errorsOf(formErrors, locale)
  const field = fieldsWith({ ...typed, terms: undefined }, errors)
  const title = isChange ? text.change : text.title
  return (
    <SoloFrame page={page} title={title} lead={text.lead} errors={errors}>
      <ConsoleForm page={page} action={to.application}>
        <Sheet
          parts={[
            <>
              <h2>{text.company}</h2>
              <TextField
                {...field('company')}
                label={text.legalName}
                hint={text.legalNameHint}
                autocomplete="organization"
              />
              <TextField {...field('website')} label={text.website} autocomplete="url" />
            </>,
          ]}
        />
        <Sheet
          parts={[
            <>
              <h2>{text.use}</h2>
              <TextArea {...field('purpose')} label={text.purpose} hint={text.purposeHint} rows={4} />
              <TickBoxes
                {...field('contractTypes')}
                legend={text.types}
                hint={text.typesHint}
                values={typed.contractTypes}
                columns={2}
                choices={ORDERED_TYPES.map((value) => ({ value, label: typeName(value, locale) }))}
              />
              <TextField {...field('otherParties')} label={text.otherParties} autocomplete="off" />
              <Select
                {...field('volume')}
                label={text.volume}
                hint={text.volumeHint}
                choices={[
                  { value: '', label: text.choose },
                  ...VOLUME_NAMES.map((value) => ({ value, label: volumeMessages(locale)[value] })),
                ]}
              />
              <Select
                {...field('timeZone')}
                label={accountMessages(locale).timeZone}
                hint={accountMessages(locale).timeZoneHint}
                choices={[{ value: '', label: text.choose }, ...zonesWith('UTC')]}
              />
            </>,
          ]}
        />
        {!isChange && <TickBox {...field('terms')} label={text.terms} />}
        <FormActions
          look="primary"
          text={isChange ? text.save : text.send}
          leave={isChange && { href: to.home, text: text.keep }}
        />
      </ConsoleForm>
    </SoloFrame>
  )
}

/** The pending application, and the ways to change or withdraw it. */
export function PendingPage({ page, application }: { page: PageProps; application: Application }) {
  const text = applicationMessages(page.locale)
  const at = formatInstant(application.sentAt, page.locale)
  return (
    <SoloFrame
      page={page}
      title={text.pendingTitle}
      lead={isolateNames((mailbox) => text.pendingLead(at, mailbox), application.mailbox)}
    >
      <Sheet
        parts={[
          <>
            <h2>{text.told}</h2>
            <ApplicationDetails application={application} locale={page.locale} />
          </>,
          <div class="actions">
            <LinkButton look="quiet" href={`${to.application}?change=1`}>
              {text.change}
            </LinkButton>
            <a class="plain-link" href={to.withdraw}>
              {text.withdraw}
            </a>
          </div>,
        ]}
      />
      <Section title={text.whileTitle}>
        <p>
          {text.whileText} <a href={to.docs}>{text.readReference}</a>
        </p>
      </Section>
    </SoloFrame>
  )
}

/** The operator's reason, and the way to apply again. */
export function RefusedPage({ page, application }: { page: PageProps; application: Application }) {
  const text = applicationMessages(page.locale)
  return (
    <SoloFrame
      page={page}
      title={text.refusedTitle}
      lead={text.refusedLead(formatInstant(application.decidedAt!, page.locale))}
    >
      <Sheet
        parts={[
          <>
            <h2>{text.reason}</h2>
            <p class="written">
              <bdi>{application.reason}</bdi>
            </p>
          </>,
          <ActionLinks links={[{ href: `${to.application}?change=1`, text: text.again, look: 'primary' }]} />,
        ]}
      />
    </SoloFrame>
  )
}

export function WithdrawPage({ page }: { page: PageProps }) {
  const text = applicationMessages(page.locale)
  return (
    <SoloFrame page={page} title={text.withdrawTitle} lead={text.withdrawLead}>
      <ConsoleForm page={page} action={to.withdraw}>
        <FormActions look="danger" text={text.withdrawNow} leave={{ href: to.home, text: text.keep }} />
      </ConsoleForm>
    </SoloFrame>
  )
}

function ApplicationDetails({ application, locale }: { application: Application; locale: Locale }) {
  const text = applicationMessages(locale)
  return (
    <Details
      rows={[
        { label: text.companyLabel, value: <bdi>{application.company}</bdi> },
        { label: text.website, value: <bdi>{application.website}</bdi> },
        { label: text.types, value: application.contractTypes.map((type) => typeName(type, locale)).join(', ') },
        { label: text.volume, value: volumeMessages(locale)[application.volume] },
      ]}
    />
  )
}

/** Common types first, in the reading order of two columns. */
const ORDERED_TYPES: readonly ContractType[] = [
  ...(['nda', 'service', 'sales-agreement', 'consignment-agreement'] as const),
  ...(['employment', 'revenue-share', 'business', 'custom'] as const),
].filter((type) => CONTRACT_TYPES.includes(type))

export const typeName = (type: ContractType, locale: Locale): string =>
  type === 'custom' ? applicationMessages(locale).somethingElse : contractTypeNames(locale)[type]

function errorsOf(formErrors: FormErrors, locale: Locale): FieldError[] {
  const text = applicationMessages(locale)
  const sentences: Record<keyof FormErrors, Partial<Record<FieldErrorKind, string>>> = {
    company: { missing: text.companyMissing, too_long: text.companyLong, wrong: text.companyWrong },
    timeZone: { wrong: accountMessages(locale).timeZoneWrong },
    website: { missing: text.websiteMissing, wrong: text.websiteWrong },
    purpose: { missing: text.purposeMissing, too_long: text.purposeLong },
    contractTypes: { missing: text.typesMissing },
    otherParties: { missing: text.otherPartiesMissing, too_long: text.otherPartiesLong, wrong: text.otherPartiesWrong },
    volume: { missing: text.volumeMissing },
    terms: { missing: text.termsMissing },
  }
  return (Object.keys(sentences) as (keyof FormErrors)[]).flatMap((field) => {
    const error = formErrors[field]
    return error === undefined ? [] : [{ field, message: sentences[field][error] }]
  })
}
