// Applying for access: the form, what was sent, the refusal, taking it back. [Authentication, D38]
import { CONTRACT_TYPES, type ContractType } from '@paraph/protocol/contract'
import { contractTypeNames } from '@paraph/web/contract-type-names'
import { formatInstant } from '@paraph/web/dates'
import {
  Button,
  LinkButton,
  Select,
  TextArea,
  TextField,
  TickBox,
  TickBoxes,
  type FieldError,
} from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { setNames } from '@paraph/web/names-in-words'
import { Facts, Sheet } from '@paraph/web/sheet'
import { VOLUME_NAMES, type ApplicationField, type FieldFault } from '../../application.js'
import type { Application } from '../../application-store.js'
import { applicationWords, volumeText } from './application-words.js'
import { ConsoleForm, SoloFrame, type PageProps } from './console-frame.js'
import { to } from './links.js'

/** The form as it was typed. */
export interface TypedApplication {
  company: string
  website: string
  purpose: string
  contractTypes: readonly string[]
  otherParties: string
  volume: string
}

type Faults = Partial<Record<ApplicationField | 'terms', FieldFault>>

/** 200, or 422 with faults. @param isChange of one that is pending: the terms are accepted already */
export function ApplicationPage(props: {
  page: PageProps
  typed: TypedApplication
  faults?: Faults
  isChange: boolean
}) {
  const { page, typed, faults = {}, isChange } = props
  const { locale } = page
  const say = applicationWords(locale)
  const errors = errorsOf(faults, locale)
  const errorOf = (field: string) => errors.find((error) => error.field === field)?.message
  const title = isChange ? say.changeTitle : say.title
  return (
    <SoloFrame page={page} title={title} errors={errors}>
      <h1>{title}</h1>
      <p class="lead">{say.lead}</p>
      <ConsoleForm page={page} action={to.application}>
        <h2 class="form-head">{say.company}</h2>
        <TextField
          name="company"
          label={say.legalName}
          hint={say.legalNameHint}
          error={errorOf('company')}
          value={typed.company}
          autocomplete="organization"
        />
        <TextField
          name="website"
          label={say.website}
          error={errorOf('website')}
          value={typed.website}
          autocomplete="url"
        />
        <h2 class="form-head">{say.use}</h2>
        <TextArea
          name="purpose"
          label={say.purpose}
          hint={say.purposeHint}
          error={errorOf('purpose')}
          value={typed.purpose}
          rows={4}
        />
        <TickBoxes
          name="contractTypes"
          legend={say.types}
          hint={say.typesHint}
          error={errorOf('contractTypes')}
          values={typed.contractTypes}
          columns={2}
          choices={IN_ORDER.map((value) => ({ value, label: typeName(value, locale) }))}
        />
        <TextField
          name="otherParties"
          label={say.otherParties}
          error={errorOf('otherParties')}
          value={typed.otherParties}
          autocomplete="off"
        />
        <Select
          name="volume"
          label={say.volume}
          hint={say.volumeHint}
          error={errorOf('volume')}
          value={typed.volume}
          choices={[
            { value: '', label: say.choose },
            ...VOLUME_NAMES.map((value) => ({ value, label: volumeText(value, locale) })),
          ]}
        />
        {!isChange && <TickBox name="terms" label={say.terms} error={errorOf('terms')} />}
        <div class="actions">
          <Button look="primary">{isChange ? say.save : say.send}</Button>
          {isChange && (
            <a class="plain-link" href={to.home}>
              {say.keep}
            </a>
          )}
        </div>
      </ConsoleForm>
    </SoloFrame>
  )
}

/** What was sent and waits; with what can still be done. */
export function PendingPage({ page, application }: { page: PageProps; application: Application }) {
  const say = applicationWords(page.locale)
  const at = formatInstant(application.sentAt, page.locale)
  return (
    <SoloFrame page={page} title={say.pendingTitle}>
      <h1>{say.pendingTitle}</h1>
      <p class="lead">{setNames((mailbox) => say.pendingLead(at, mailbox), application.mailbox)}</p>
      <Sheet
        parts={[
          <>
            <h2>{say.told}</h2>
            <ToldFacts application={application} locale={page.locale} />
          </>,
          <div class="actions">
            <LinkButton look="quiet" href={`${to.application}?change=1`}>
              {say.change}
            </LinkButton>
            <a class="plain-link" href={to.withdraw}>
              {say.withdraw}
            </a>
          </div>,
        ]}
      />
      <section class="apart">
        <h2>{say.whileTitle}</h2>
        <p>
          {say.whileText} <a href={to.docs}>{say.readReference}</a>
        </p>
      </section>
    </SoloFrame>
  )
}

/** The reason, in the operator's words, and the way to try again. */
export function RefusedPage({ page, application }: { page: PageProps; application: Application }) {
  const say = applicationWords(page.locale)
  return (
    <SoloFrame page={page} title={say.refusedTitle}>
      <h1>{say.refusedTitle}</h1>
      <p class="lead">{say.refusedLead(formatInstant(application.decidedAt!, page.locale))}</p>
      <Sheet
        parts={[
          <>
            <h2>{say.reason}</h2>
            <p class="written">
              <bdi>{application.reason}</bdi>
            </p>
          </>,
          <div class="actions">
            <LinkButton look="primary" href={`${to.application}?change=1`}>
              {say.again}
            </LinkButton>
          </div>,
        ]}
      />
    </SoloFrame>
  )
}

export function WithdrawPage({ page }: { page: PageProps }) {
  const say = applicationWords(page.locale)
  return (
    <SoloFrame page={page} title={say.withdrawTitle}>
      <h1>{say.withdrawTitle}</h1>
      <p class="lead">{say.withdrawLead}</p>
      <ConsoleForm page={page} action={to.withdraw}>
        <div class="actions">
          <Button look="danger">{say.withdrawNow}</Button>
          <a class="plain-link" href={to.home}>
            {say.keep}
          </a>
        </div>
      </ConsoleForm>
    </SoloFrame>
  )
}

/** Company, site, types and number, as facts. */
function ToldFacts({ application, locale }: { application: Application; locale: Locale }) {
  const say = applicationWords(locale)
  return (
    <Facts
      facts={[
        { label: say.companyLabel, value: <bdi>{application.company}</bdi> },
        { label: say.website, value: <bdi>{application.website}</bdi> },
        { label: say.types, value: application.contractTypes.map((type) => typeName(type, locale)).join(', ') },
        { label: say.volume, value: volumeText(application.volume, locale) },
      ]}
    />
  )
}

/** The usual ones first, as people read a form in two columns. */
const IN_ORDER: readonly ContractType[] = [
  ...(['nda', 'service', 'sales-agreement', 'consignment-agreement'] as const),
  ...(['employment', 'revenue-share', 'business', 'custom'] as const),
].filter((type) => CONTRACT_TYPES.includes(type))

export const typeName = (type: ContractType, locale: Locale): string =>
  type === 'custom' ? applicationWords(locale).somethingElse : contractTypeNames(locale)[type]

function errorsOf(faults: Faults, locale: Locale): FieldError[] {
  const say = applicationWords(locale)
  const sentences: Record<keyof Faults, Partial<Record<FieldFault, string>>> = {
    company: { missing: say.companyMissing, too_long: say.companyLong, wrong: say.companyWrong },
    website: { missing: say.websiteMissing, wrong: say.websiteWrong },
    purpose: { missing: say.purposeMissing, too_long: say.purposeLong },
    contractTypes: { missing: say.typesMissing },
    otherParties: {
      missing: say.otherPartiesMissing,
      too_long: say.otherPartiesLong,
      wrong: say.otherPartiesWrong,
    },
    volume: { missing: say.volumeMissing },
    terms: { missing: say.termsMissing },
  }
  return (Object.keys(sentences) as (keyof Faults)[]).flatMap((field) => {
    const fault = faults[field]
    return fault === undefined ? [] : [{ field, message: sentences[field][fault] }]
  })
}
