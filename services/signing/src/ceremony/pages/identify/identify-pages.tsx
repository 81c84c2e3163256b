// The pages before the text: the opened link, the one-time code, and the choice of a role for a mailbox with several roles.
// [ceremony 1 to 4, D12, D16]
import { type AddressError, AddressForm as CodeAddressForm, errorsOfAddress } from '@paraph/codes/address-form'
import { CodeForm, errorsOfCode, titleOfCode } from '@paraph/codes/code-form'
import type { CodeDigits } from '@paraph/codes/code-policy'
import type { CodeState } from '@paraph/codes/code-state'
import type { ContractType } from '@paraph/protocol/contract'
import { contractTypeNames } from '@paraph/web/contract-type-names'
import { formatTime } from '@paraph/web/dates'
import { LinkButton } from '@paraph/web/fields'
import type { Locale } from '@paraph/web/locale'
import { Flourish } from '@paraph/web/mark'
import { LocalTime } from '@paraph/web/local-time'
import { isolateNames } from '@paraph/web/names-in-words'
import { Details, Note, Sheet } from '@paraph/web/sheet'
import { CeremonyFrame, LeaveForm, type LeaveFormProps, type PageProps } from '../frame/ceremony-frame.js'
import { links, SENDER_HELP } from '../frame/links.js'
import { ceremonyMessages } from '../frame/messages.js'
import { outcomeMessages } from '../outcome/messages.js'
import { identifyMessages } from './messages.js'

export interface OpenPageProps extends PageProps {
  contract: ContractSummary
  form: AddressFormProps
  /** The session has ended; `session_ended_typed_name_kept`: the signature form will contain the typed name again. */
  notice?: 'session_ended' | 'session_ended_typed_name_kept' | undefined
}

/** Pages 1, 1e and 14. Status 200, or 422 with an error. */
export function OpenPage({ contract, form, notice, ...page }: OpenPageProps) {
  const messages = identifyMessages(page.locale)
  const title = messages.openTitle(contract.senderName)
  return (
    <CeremonyFrame page={page} title={title} step={0} errors={errorsOfAddress(form.error, page.locale)}>
      <h1>{isolateNames(messages.openTitle, contract.senderName)}</h1>
      {notice && (
        <Note kind="information">
          <p>
            {messages.confirmAgain} {notice === 'session_ended_typed_name_kept' && `${messages.typedKept} `}
            {messages.notSignedNow}
          </p>
        </Note>
      )}
      <Sheet
        parts={[
          <ContractRows contract={contract} locale={page.locale} />,
          <AddressForm form={form} locale={page.locale} />,
        ]}
      />
      <p class="after">{messages.openReassurance}</p>
    </CeremonyFrame>
  )
}

export interface AddressFormProps {
  token: string
  formToken: string
  /** The typed address, kept on a page with an error. */
  email?: string | undefined
  error?: AddressError | undefined
}

/** The address field and "Send me a code". Posts to `/code`. */
export function AddressForm({ form, locale }: { form: AddressFormProps; locale: Locale }) {
  const { emailLabel: label, emailHint: hint } = identifyMessages(locale)
  return (
    <CodeAddressForm
      {...{ locale, label, hint, email: form.email, error: form.error }}
      action={links(form.token).requestCode}
      hidden={{ formToken: form.formToken }}
    />
  )
}

/** The data of a contract that a link holder may see. No party and no text. [D29] */
export interface ContractSummary {
  senderName: string
  /** The approved account's name, always shown beside the sender's. [D36] */
  accountName: string
  contractType: ContractType
  contractNumber: string
  expiresAt: Date
  /** The account's IANA time zone, shown beside UTC. [D34] */
  timeZone?: string | undefined
}

/** The rows of page 1 about the contract. */
function ContractRows({ contract, locale }: { contract: ContractSummary; locale: Locale }) {
  const messages = identifyMessages(locale)
  const { contractNumber, signBy } = ceremonyMessages(locale)
  return (
    <Details
      rows={[
        {
          label: messages.from,
          value: <bdi>{contract.senderName}</bdi>,
          detail: (
            <>
              {isolateNames(messages.approvedAccount, contract.accountName)}{' '}
              <a href={SENDER_HELP}>{messages.whatApprovedMeans}</a>
            </>
          ),
        },
        { label: messages.type, value: contractTypeNames(locale)[contract.contractType] },
        { label: contractNumber, value: <span class="unbroken">{contract.contractNumber}</span> },
        { label: signBy, value: <LocalTime at={contract.expiresAt} locale={locale} timeZone={contract.timeZone} /> },
      ]}
    />
  )
}

export interface CodePageProps extends PageProps {
  token: string
  challenge: string
  formToken: string
  /** The address as typed. */
  email: string
  senderName: string
  /** The account's IANA time zone, shown beside UTC. [D34] */
  timeZone?: string | undefined
  /** Length of the next code: 6, or 12 after 100 wrong codes. [D16] */
  digits: CodeDigits
  /** The typed code, kept on a page with an error. */
  code?: string | undefined
  state: CodeState
}

/** Pages 2 to 3u. `state` determines the HTTP status; the props are the same for a party and for a stranger. */
export function CodePage(props: CodePageProps) {
  const { token, challenge, formToken, email, senderName, timeZone, digits, code, state, ...page } = props
  const { locale } = page
  const messages = identifyMessages(locale)
  const to = links(token)
  const address = {
    text: email,
    markup: (
      <strong>
        <bdi>{email}</bdi>
      </strong>
    ),
  }
  return (
    <CeremonyFrame
      page={{ ...page, path: to.challenge(challenge) }}
      title={titleOfCode(state, locale)}
      step={0}
      errors={errorsOfCode(state, digits, locale)}
    >
      <CodeForm
        {...{ locale, state, digits, typed: code }}
        hidden={{ formToken, challenge }}
        to={{ check: to.challenge(challenge), resend: to.resend, otherAddress: to.open }}
        sentences={{
          sent: isolateNames(messages.codeSent, address),
          sentBefore: isolateNames(messages.codeSentBefore, address),
          resent: messages.codeResent,
          deadDetail: messages.codeDeadDetail,
          nothingDone: outcomeMessages(locale).nothingSigned,
          sendsUsedUp: (at) =>
            isolateNames((sender) => messages.sendsUsedUp(formatTime(at, locale, { timeZone }), sender), senderName),
          after: isolateNames(messages.lostMailbox, senderName),
        }}
      />
    </CeremonyFrame>
  )
}

interface OwnRole {
  /** The party's index in the contract. */
  index: number
  role: string
  legalName: string
  /** When this role signed; null until then. A person sees their own times only. [D39] */
  signedAt: Date | null
}

interface SignAsPageProps extends PageProps, LeaveFormProps {
  /** The roles of this mailbox, in the order of the contract; two or more. */
  roles: readonly OwnRole[]
  timeZone?: string | undefined
}

/** Page 4. Uses links, not forms, because choosing a role changes no data. The first role that has not signed gets the primary button. */
export function SignAsPage({ token, formToken, roles, timeZone, ...page }: SignAsPageProps) {
  const messages = identifyMessages(page.locale)
  const { signed, notSigned } = ceremonyMessages(page.locale)
  const to = links(token)
  const title = messages.rolesTitle(roles.length)
  const next = roles.find((role) => role.signedAt === null)
  return (
    <CeremonyFrame page={page} title={title} step={1}>
      <h1>{title}</h1>
      <p class="lead">{messages.rolesLead}</p>
      {roles.map((role) => (
        <div class="sheet role" key={role.index}>
          <div>
            <p class="role-of">
              <bdi>{role.role}</bdi>
            </p>
            <p class="role-name">
              <bdi>{role.legalName}</bdi>
            </p>
            {role.signedAt === null ? (
              <p class="role-of">{notSigned}</p>
            ) : (
              <>
                <Flourish />
                <p class="role-of">
                  <strong class="in-ink">{signed}</strong>{' '}
                  <LocalTime at={role.signedAt} locale={page.locale} timeZone={timeZone} />
                </p>
              </>
            )}
          </div>
          {role.signedAt === null ? (
            <LinkButton look={role === next ? 'primary' : 'quiet'} href={to.review(role.index)}>
              {isolateNames(messages.readAndSignAs, role.role)}
            </LinkButton>
          ) : (
            <LinkButton look="quiet" href={to.done(role.index)}>
              {messages.seeSigned}
            </LinkButton>
          )}
        </div>
      ))}
      <LeaveForm form={{ token, formToken }} locale={page.locale} isDone={false} />
    </CeremonyFrame>
  )
}
