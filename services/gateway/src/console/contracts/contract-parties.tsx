// The parties of a contract, with the state of their invitations.
import type { ComponentChildren } from 'preact'
import { timeInWords } from '@paraph/web/local-time'
import { Flourish } from '@paraph/web/mark'
import { isolateNames } from '@paraph/web/names-in-words'
import { ConsoleForm } from '../frame/forms.js'
import { to } from '../frame/links.js'
import { mayUse } from '../frame/page-props.js'
import { Mailbox, SmallButton } from '../frame/parts.js'
import type { ContractPageProps } from './contract-page-props.js'
import { isOpenContract, mayReaddress } from './contract-rows.js'
import { contractMessages } from './messages.js'

export function Parties(props: ContractPageProps) {
  const { page, environment, contract, timeZone } = props
  const { locale } = page
  const text = contractMessages(locale)
  const isOpen = isOpenContract(contract)
  const mayAct = mayUse(page, 'act', environment)
  const at = to.contract(environment, contract.id)
  return (
    <ul class="party-list">
      {contract.parties.map((party, index) => (
        <li key={index}>
          <div>
            <p class={party.signedAt === null ? 'party-name' : 'party-name party-signed'}>
              <bdi>{party.legalName}</bdi>
              {party.signedAt !== null && <Flourish />}
            </p>
            <p class="soft small">
              <bdi>{party.role}</bdi>
              {party.email !== '' && (
                <>
                  {' · '}
                  <Mailbox address={party.email} />
                </>
              )}
            </p>
            <p class="small">
              {party.signedAt !== null ? (
                isolateNames(text.signedAt, timeInWords(new Date(party.signedAt), locale, { timeZone, short: true }))
              ) : party.declinedAt !== null ? (
                <span class="trouble">
                  {isolateNames(
                    text.declinedAt,
                    timeInWords(new Date(party.declinedAt), locale, { timeZone, short: true }),
                  )}
                </span>
              ) : (
                mailText(props, index)
              )}
            </p>
          </div>
          {mayAct && isOpen && party.signedAt === null && (
            <div class="actions">
              {environment === 'sandbox' && (
                <ConsoleForm page={page} action={`${at}/sign`} hidden={{ party: index }}>
                  <SmallButton text={text.signAs} of={party.role} />
                </ConsoleForm>
              )}
              <ConsoleForm page={page} action={`${at}/invitation`} hidden={{ party: index }}>
                <SmallButton text={text.sendAgain} of={party.role} />
              </ConsoleForm>
              {mayReaddress(contract, index) && (
                <a
                  class="plain-link small"
                  href={to.address(environment, contract.id, index)}
                  aria-label={`${text.correct}: ${party.role}`}
                >
                  {text.correct}
                </a>
              )}
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}

/** The state of the newest invitation of the party at `index`. */
function mailText({ page: { locale }, mails, timeZone }: ContractPageProps, index: number): ComponentChildren {
  const text = contractMessages(locale)
  if (!mails) return text.mailUnknown
  const mail = mails.parties.find((party) => party.index === index)?.mails.find(({ kind }) => kind === 'invitation')
  if (!mail) return text.mailNone
  switch (mail.state) {
    case 'due':
      return mails.isHeld ? text.mailHeld : text.mailDue
    case 'accepted':
      return isolateNames(text.mailAccepted, timeInWords(new Date(mail.finishedAt!), locale, { timeZone, short: true }))
    case 'failed':
    case 'lapsed': {
      const code = mail.smtpCode === null ? '' : ` (${mail.smtpCode})`
      return <span class="trouble">{mail.reason === 'gave_up' ? text.mailGaveUp : text.mailRefused(code)}</span>
    }
    case 'skipped':
      return mail.why === 'named in another invitation' ? text.mailNamed : text.mailNone
  }
}
