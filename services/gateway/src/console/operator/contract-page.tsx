// The operator's page of one contract, and the question before it is cancelled. Who sent it and where it stands: its text, and names and
// addresses of parties, stay with the account. [D75]
import type { Environment } from '@paraph/protocol/environment'
import { contractTypeNames } from '@paraph/web/contract-type-names'
import { LinkButton, TextArea, fieldsWith, type FieldError } from '@paraph/web/fields'
import { Details } from '@paraph/web/sheet'
import type { AccountRow } from '../../accounts/account-store.js'
import { Status } from '../contracts/contract-list-page.js'
import { isOpenContract, type ContractDetail } from '../contracts/contract-rows.js'
import { contractMessages } from '../contracts/messages.js'
import { ConsoleFrame } from '../frame/console-frame.js'
import { Copyable } from '../frame/copyable.js'
import { Question } from '../frame/forms.js'
import { Instant } from '../frame/instant.js'
import { to } from '../frame/links.js'
import type { PageProps } from '../frame/page-props.js'
import { Back, Paper } from '../frame/parts.js'
import { EnvironmentTag } from '../keys/keys-page.js'
import { operatorMessages } from './messages.js'

export function OperatorContractPage(props: {
  page: PageProps
  owner: AccountRow
  environment: Environment
  contract: ContractDetail
}) {
  const { page, owner, environment, contract } = props
  const { locale } = page
  const text = operatorMessages(locale)
  const of = contractMessages(locale)
  const { signed, total } = contract.signingProgress
  const { status, cancelledBy, cancelReason } = contract
  const endedAt = contract.completedAt ?? contract.cancelledAt ?? contract.expiresAt
  const endLabel = { signed: of.completed, cancelled: of.cancelledAt, expired: of.expired }
  return (
    <ConsoleFrame page={page} title={contract.contractNumber} at="reports">
      <Back href={to.operator.reports}>{text.reports}</Back>
      <div class="head">
        <div>
          <h1>{contract.contractNumber}</h1>
          <p class="head-status">
            <Status status={status} locale={locale} /> <EnvironmentTag {...{ locale, environment }} />
          </p>
        </div>
        {isOpenContract(contract) && (
          <div class="actions">
            <LinkButton look="danger-quiet" href={`${to.operator.contract(owner.id, environment, contract.id)}/cancel`}>
              {of.cancelOpen}
            </LinkButton>
          </div>
        )}
      </div>
      <Paper>
        <Details
          rows={[
            {
              label: text.account,
              value: (
                <a href={to.operator.account(owner.id)}>
                  <bdi>{owner.name}</bdi>
                </a>
              ),
            },
            ...(contract.erasedAt === null
              ? [{ label: text.senderLabel, value: <bdi>{contract.senderName}</bdi> }]
              : []),
            { label: of.type, value: contractTypeNames(locale)[contract.contractType] },
            { label: of.parties, value: of.haveSigned(signed, total) },
            { label: of.created, value: <Instant at={new Date(contract.createdAt)} locale={locale} /> },
            {
              label: isOpenContract(contract) ? of.expires : endLabel[status as keyof typeof endLabel],
              value: <Instant at={new Date(endedAt)} locale={locale} />,
            },
            ...(cancelledBy === null ? [] : [{ label: of.cancelledBy, value: of[cancelledBy] }]),
            ...(cancelReason === null ? [] : [{ label: of.reason, value: <bdi>{cancelReason}</bdi> }]),
            { label: of.apiId, value: <Copyable {...{ locale, of: of.apiId, value: contract.id }} id="api-id" /> },
          ]}
        />
      </Paper>
    </ConsoleFrame>
  )
}

/** Status 200, or 422 with errors. @param props.at the page of the contract */
export function OperatorCancelPage(props: {
  page: PageProps
  contract: ContractDetail
  at: string
  typed?: string
  errors?: readonly FieldError[]
}) {
  const { page, contract, at, typed, errors = [] } = props
  const text = operatorMessages(page.locale)
  const title = text.cancelTitle(contract.contractNumber)
  return (
    <Question
      {...{ page, title, errors }}
      at="reports"
      back={{ href: at, text: contract.contractNumber }}
      lead={<p>{text.cancelLead}</p>}
      action={`${at}/cancel`}
      button={contractMessages(page.locale).cancelOpen}
      leave={text.keep}
    >
      <TextArea
        {...fieldsWith({ reason: typed }, errors)('reason')}
        label={text.cancelReason}
        hint={text.cancelReasonHint}
        rows={3}
      />
    </Question>
  )
}
