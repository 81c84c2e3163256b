// The queue of pending applications: their content, the automatic checks, the decision.
import { formatInstant } from '@paraph/web/dates'
import { Button, fieldsWith, Select, TextArea, type FieldError } from '@paraph/web/fields'
import { Disclosure, Details, Sheet } from '@paraph/web/sheet'
import { isMailOfWebsite } from '../../accounts/application.js'
import type { QueuedApplication } from '../../accounts/application-store.js'
import { typeName } from '../people/application-pages.js'
import { applicationMessages, volumeMessages } from '../people/application-messages.js'
import { ConsoleFrame } from '../frame/console-frame.js'
import type { PageProps } from '../frame/page-props.js'
import { ConsoleForm } from '../frame/forms.js'
import { tierName } from '../frame/messages.js'
import { to } from '../frame/links.js'
import { Mailbox, Notice } from '../frame/parts.js'
import { WaitingBrands } from './brand-page.js'
import { operatorMessages } from './messages.js'

interface QueuePageProps {
  page: PageProps
  waiting: number
  applications: readonly QueuedApplication[]
  tiers: readonly string[]
  brands: Parameters<typeof WaitingBrands>[0]['brands']
  /** Errors in the decision on one application, with the typed values. */
  errors?: readonly FieldError[]
  typed?: { id: string; reason: string } | undefined
  /** The application was decided or changed in the meantime. */
  isDecided?: boolean
}

/** The queue, oldest first; the first application is open. */
export function QueuePage(props: QueuePageProps) {
  const { page, waiting, applications, brands, tiers, errors = [], typed, isDecided } = props
  const text = operatorMessages(page.locale)
  return (
    <ConsoleFrame page={page} at="applications" errors={errors} lead={text.waiting(waiting)}>
      <Notice kind="warning" text={isDecided && text.decidedMeanwhile} />
      {applications.map((application, at) => {
        const isOpen = typed === undefined ? at === 0 : typed.id === application.id
        const head = <ApplicationHead {...{ page, application }} />
        const body = <ApplicationBody {...{ page, application }} />
        const decided = isOpen ? { errors, reason: typed?.reason } : { errors: [], reason: undefined }
        const decision = <Decision {...{ page, application, tiers, ...decided }} />
        if (isOpen) return <Sheet key={application.id} parts={[[head, body], decision]} />
        return (
          <div key={application.id} class="sheet pad">
            {head}
            <Disclosure summary={application.website}>
              {body}
              {decision}
            </Disclosure>
          </div>
        )
      })}
      <WaitingBrands page={page} brands={brands} />
    </ConsoleFrame>
  )
}

interface ApplicationProps {
  page: PageProps
  application: QueuedApplication
}

function ApplicationHead({ page, application }: ApplicationProps) {
  const text = operatorMessages(page.locale)
  return (
    <div class="head">
      <h2>
        <bdi>{application.company}</bdi>
      </h2>
      <p class="soft small">{text.sent(formatInstant(application.sentAt, page.locale))}</p>
    </div>
  )
}

function ApplicationBody({ page, application }: ApplicationProps) {
  const { locale } = page
  const text = operatorMessages(locale)
  const form = applicationMessages(locale)
  const { mailbox, website, earlierRefusals } = application
  const fits = isMailOfWebsite(mailbox, website)
  return (
    <div class="application">
      <div>
        <p class="written">
          <bdi>{application.purpose}</bdi>
        </p>
        <Details
          rows={[
            { label: form.types, value: application.contractTypes.map((type) => typeName(type, locale)).join(', ') },
            { label: form.volume, value: volumeMessages(locale)[application.volume] },
            { label: text.otherParties, value: <bdi>{application.otherParties}</bdi> },
            { label: text.applicant, value: <Mailbox address={mailbox} /> },
            { label: text.website, value: <bdi>{website}</bdi> },
          ]}
        />
      </div>
      <div>
        <h3>{text.checked}</h3>
        <ul class="checked">
          <li class="is-so">{text.mailboxProven}</li>
          <li class={fits ? 'is-so' : 'is-not'}>{fits ? text.domainFits : text.domainDiffers}</li>
          <li class={earlierRefusals === 0 ? 'is-so' : 'is-not'}>
            {earlierRefusals === 0 ? text.noRefusal : text.refusals(earlierRefusals)}
          </li>
          <li class="soft">{text.notChecked}</li>
        </ul>
      </div>
    </div>
  )
}

/** One form with two buttons, because both decisions use the field for the reason. */
function Decision(props: ApplicationProps & Pick<QueuePageProps, 'tiers' | 'errors'> & { reason: string | undefined }) {
  const { page, application, tiers, errors, reason } = props
  const text = operatorMessages(page.locale)
  const reasonName = `reason-${application.id}`
  return (
    <ConsoleForm page={page} action={to.operator.decide(application.id)} hidden={{ revision: application.revision }}>
      <TextArea
        {...fieldsWith({ [reasonName]: reason }, errors)(reasonName)}
        label={text.reason}
        hint={text.reasonHint}
        rows={3}
      />
      <Select
        name={`tier-${application.id}`}
        label={text.withTier}
        hint={text.withTierHint}
        choices={[
          { value: '', label: text.ownerChooses },
          ...tiers.map((value) => ({ value, label: tierName(value) })),
        ]}
      />
      <div class="actions">
        <Button look="primary" name="decision" value="approve">
          {text.approve}
        </Button>
        <Button look="danger-quiet" name="decision" value="refuse">
          {text.refuse}
        </Button>
      </div>
    </ConsoleForm>
  )
}
