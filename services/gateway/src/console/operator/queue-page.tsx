// Applications that wait for an operator: what was said, what was checked, the decision.
import { formatInstant } from '@paraph/web/dates'
import { Button, Select, TextArea, type FieldError } from '@paraph/web/fields'
import { Disclosure, Facts, Note, Sheet } from '@paraph/web/sheet'
import { isMailOfWebsite } from '../../application.js'
import type { QueuedApplication } from '../../application-store.js'
import { typeName } from './application-pages.js'
import { applicationWords, volumeText } from './application-words.js'
import { ConsoleForm, ConsoleFrame, type PageProps } from './console-frame.js'
import { tierName } from './frame-words.js'
import { to } from './links.js'
import { operatorWords } from './operator-words.js'

interface QueuePageProps {
  page: PageProps
  waiting: number
  applications: readonly QueuedApplication[]
  tiers: readonly string[]
  /** Of the application whose decision could not be taken, with what was typed. */
  errors?: readonly FieldError[]
  typed?: { id: string; reason: string } | undefined
  /** It was decided by somebody else, or changed by its applicant. */
  isDecided?: boolean
}

/** What waits, the oldest first and open. */
export function QueuePage({ page, waiting, applications, tiers, errors = [], typed, isDecided }: QueuePageProps) {
  const say = operatorWords(page.locale)
  return (
    <ConsoleFrame page={page} title={say.applications} at="applications" errors={errors}>
      <div>
        <h1>{say.applications}</h1>
        <p class="soft">{say.waiting(waiting)}</p>
      </div>
      {isDecided && (
        <Note kind="warning">
          <p>{say.decidedMeanwhile}</p>
        </Note>
      )}
      {applications.map((application, at) => {
        const isOpen = typed === undefined ? at === 0 : typed.id === application.id
        const shown = {
          ...{ page, application, tiers },
          errors: isOpen ? errors : [],
          reason: isOpen ? typed?.reason : undefined,
        }
        return isOpen ? (
          <ApplicationSheet key={application.id} {...shown} />
        ) : (
          <div key={application.id} class="sheet pad">
            <ApplicationHead {...{ page, application }} />
            <Disclosure summary={application.website}>
              <ApplicationBody {...{ page, application }} />
              <Decision {...shown} />
            </Disclosure>
          </div>
        )
      })}
    </ConsoleFrame>
  )
}

interface OneProps {
  page: PageProps
  application: QueuedApplication
}

function ApplicationSheet(props: OneProps & DecisionProps) {
  return (
    <Sheet
      parts={[
        <>
          <ApplicationHead {...props} />
          <ApplicationBody {...props} />
        </>,
        <Decision {...props} />,
      ]}
    />
  )
}

function ApplicationHead({ page, application }: OneProps) {
  const say = operatorWords(page.locale)
  return (
    <div class="head">
      <h2>
        <bdi>{application.company}</bdi>
      </h2>
      <p class="soft small">{say.sent(formatInstant(application.sentAt, page.locale))}</p>
    </div>
  )
}

function ApplicationBody({ page, application }: OneProps) {
  const { locale } = page
  const say = operatorWords(locale)
  const told = applicationWords(locale)
  const { mailbox, website, earlierRefusals } = application
  const fits = isMailOfWebsite(mailbox, website)
  return (
    <div class="application">
      <div>
        <p class="written">
          <bdi>{application.purpose}</bdi>
        </p>
        <Facts
          facts={[
            { label: told.types, value: application.contractTypes.map((type) => typeName(type, locale)).join(', ') },
            { label: told.volume, value: volumeText(application.volume, locale) },
            { label: say.otherParties, value: <bdi>{application.otherParties}</bdi> },
            { label: say.applicant, value: <bdi class="unbroken">{mailbox}</bdi> },
            { label: say.website, value: <bdi>{website}</bdi> },
          ]}
        />
      </div>
      <div>
        <h3>{say.checked}</h3>
        <ul class="checked">
          <li class="is-so">{say.mailboxProven}</li>
          <li class={fits ? 'is-so' : 'is-not'}>{fits ? say.domainFits : say.domainDiffers}</li>
          <li class={earlierRefusals === 0 ? 'is-so' : 'is-not'}>
            {earlierRefusals === 0 ? say.noRefusal : say.refusals(earlierRefusals)}
          </li>
          <li class="soft">{say.notChecked}</li>
        </ul>
      </div>
    </div>
  )
}

interface DecisionProps {
  tiers: readonly string[]
  errors: readonly FieldError[]
  reason: string | undefined
}

/** One form, two buttons: the reason belongs to either. */
function Decision({ page, application, tiers, errors, reason }: OneProps & DecisionProps) {
  const say = operatorWords(page.locale)
  const reasonName = `reason-${application.id}`
  return (
    <ConsoleForm page={page} action={to.operator.decide(application.id)} hidden={{ revision: application.revision }}>
      <TextArea
        name={reasonName}
        label={say.reason}
        hint={say.reasonHint}
        error={errors.find(({ field }) => field === reasonName)?.message}
        value={reason}
        rows={3}
      />
      <Select
        name={`tier-${application.id}`}
        label={say.withTier}
        hint={say.withTierHint}
        choices={[{ value: '', label: say.ownerChooses }, ...tiers.map((value) => ({ value, label: tierName(value) }))]}
      />
      <div class="actions">
        <Button look="primary" name="decision" value="approve">
          {say.approve}
        </Button>
        <Button look="danger-quiet" name="decision" value="refuse">
          {say.refuse}
        </Button>
      </div>
    </ConsoleForm>
  )
}
