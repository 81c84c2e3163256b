// The section of the account page for its people: roles, invitations, removals, and a lost device. [D25, D72, D73]
import { ACCOUNT_ROLES, type AccountRole } from '@paraph/protocol/account-role'
import { Button, fieldsWith, Select, TextField } from '@paraph/web/fields'
import type { AccountOwner } from '../../accounts/account-owners.js'
import { ConsoleForm } from '../frame/forms.js'
import { Day } from '../frame/instant.js'
import { to } from '../frame/links.js'
import { roleMessages } from '../frame/messages.js'
import type { PageProps } from '../frame/page-props.js'
import { DataTable, Mailbox, SheetSection, SmallButton } from '../frame/parts.js'
import { AfterProof } from '../second-factor/fresh.js'
import { secondFactorMessages } from '../second-factor/messages.js'
import type { AccountPageProps } from './account-form.js'
import { accountMessages, roleHints } from './messages.js'

export function Owners({ page, account, owners, withPasskey, errors, typed = {} }: AccountPageProps) {
  const { locale } = page
  const text = accountMessages(locale)
  const isYou = (mailbox: string) => mailbox === page.shell?.mailbox
  const field = fieldsWith({ owner: typed.owner, role: typed.role ?? 'viewer' }, errors)
  return (
    <SheetSection title={text.owners}>
      <p>{text.ownersLead}</p>
      <DataTable
        label={text.owners}
        bare
        heads={[text.mailbox, text.role, text.since, ...(page.isProven ? [text.remove] : [])]}
        rows={owners.map(({ mailbox, address, role, confirmedAt }) => ({
          id: mailbox,
          cells: [
            <>
              <strong>
                <Mailbox address={address} />
              </strong>
              {isYou(mailbox) && <span class="soft"> ({text.you})</span>}
              {withPasskey.has(mailbox) && <div class="soft">{secondFactorMessages(locale).hasPasskey}</div>}
            </>,
            page.isProven ? <RoleForm {...{ page, mailbox, address, role }} /> : roleMessages(locale)[role],
            confirmedAt === null ? text.invited : <Day at={confirmedAt} {...{ locale, timeZone: account.timeZone }} />,
            ...(page.isProven
              ? [
                  <ConsoleForm page={page} action={to.removeOwner} hidden={{ owner: mailbox }}>
                    <SmallButton text={text.remove} of={address} />
                  </ConsoleForm>,
                ]
              : []),
          ],
        }))}
      />
      <AfterProof page={page}>
        <ConsoleForm page={page} action={to.owners}>
          <TextField {...field('owner')} label={text.invite} hint={text.inviteHint} type="email" autocomplete="off" />
          <Select
            {...field('role')}
            label={text.role}
            hint={text.roleHint}
            choices={ACCOUNT_ROLES.map((value) => ({ value, label: roleHints(locale)[value] }))}
          />
          <Button look="quiet">{text.inviteNow}</Button>
        </ConsoleForm>
        <LostDevice
          page={page}
          people={owners.filter(
            ({ mailbox, confirmedAt }) => withPasskey.has(mailbox) && confirmedAt !== null && !isYou(mailbox),
          )}
        />
      </AfterProof>
    </SheetSection>
  )
}

/** For a person who cannot sign in. Renders nothing if nobody else has a passkey. */
function LostDevice({ page, people }: { page: PageProps; people: readonly AccountOwner[] }) {
  const text = secondFactorMessages(page.locale)
  if (people.length === 0) return null
  return (
    <details class="disclosure">
      <summary>
        <span>{text.lostDevice}</span>
      </summary>
      <div class="disclosure-body">
        <p>{text.lostDeviceLead}</p>
        <ConsoleForm page={page} action={to.resetPasskeys}>
          <Select
            name="lost"
            label={text.person}
            choices={people.map(({ mailbox, address }) => ({ value: mailbox, label: address }))}
          />
          <Button look="quiet">{text.reset}</Button>
        </ConsoleForm>
      </div>
    </details>
  )
}

function RoleForm(props: { page: PageProps; mailbox: string; address: string; role: AccountRole }) {
  const { page, mailbox, address, role } = props
  const text = accountMessages(page.locale)
  return (
    <ConsoleForm page={page} action={to.ownerRole} hidden={{ owner: mailbox }}>
      <div class="role-of">
        <select class="input input-select" name="role" aria-label={`${text.role}: ${address}`}>
          {ACCOUNT_ROLES.map((each) => (
            <option key={each} value={each} selected={each === role}>
              {roleMessages(page.locale)[each]}
            </option>
          ))}
        </select>{' '}
        <SmallButton text={text.replyChange} of={address} />
      </div>
    </ConsoleForm>
  )
}
