// The account page: one sheet for each section. [D4, D23, D25, D34, D36]
import { isolateNames } from '@paraph/web/names-in-words'
import { brandMessages } from '../brand/messages.js'
import { ConsoleFrame } from '../frame/console-frame.js'
import { ButtonForm } from '../frame/forms.js'
import { to } from '../frame/links.js'
import { mayUse, type PageProps } from '../frame/page-props.js'
import { ActionLinks, Notice, SheetSection } from '../frame/parts.js'
import { AfterProof } from '../second-factor/fresh.js'
import { secondFactorMessages } from '../second-factor/messages.js'
import type { AccountPageProps } from './account-form.js'
import { ContractMails, Settings } from './account-settings.js'
import { accountMessages, roleHints } from './messages.js'
import { Owners } from './owners-section.js'
import { ReplyAddress } from './reply-address.js'

/** One sheet for each section, with its own button; those that the reader's role includes. Status 200, or 422 with errors. */
export function AccountPage(props: AccountPageProps) {
  const { page, account, errors = [], notice } = props
  const text = accountMessages(page.locale)
  if (!mayUse(page, 'manage')) return <MemberPage {...props} />
  return (
    <ConsoleFrame page={page} at="account" width="form" errors={errors}>
      <h1>{text.title}</h1>
      <Notice
        kind="information"
        text={notice && { ...text, resetDone: secondFactorMessages(page.locale).resetDone }[notice]}
      />
      <Settings {...props} />
      <ContractMails {...props} />
      <SheetSection title={brandMessages(page.locale).title}>
        <p>{brandMessages(page.locale).lead}</p>
        <ActionLinks links={[{ href: to.brand, text: brandMessages(page.locale).see }]} />
      </SheetSection>
      <ReplyAddress {...props} />
      <Owners {...props} />
      <Sessions page={page} />
      <SheetSection title={text.record}>
        <p>{text.recordLead}</p>
        <ActionLinks links={[{ href: to.audit, text: text.seeRecord }]} />
      </SheetSection>
      <SheetSection title={text.leave}>
        <p>{text.leaveLead}</p>
        <AfterProof page={page}>
          <ActionLinks links={[{ href: to.exportAll, text: text.export, download: `${account.id}.json` }]} />
        </AfterProof>
      </SheetSection>
    </ConsoleFrame>
  )
}

/** What everybody has who does not own the account: a role, sessions, and the way out. [D72] */
function MemberPage({ page, account, errors = [] }: AccountPageProps) {
  const { locale } = page
  const text = accountMessages(locale)
  const role = page.shell?.account?.role ?? 'viewer'
  return (
    <ConsoleFrame page={page} at="account" width="form" errors={errors}>
      <h1>{text.title}</h1>
      <SheetSection title={text.yourRole}>
        <p>{roleHints(locale)[role]}</p>
        <p>{isolateNames(text.otherRole, account.name)}</p>
        <AfterProof page={page}>
          <ButtonForm page={page} action={to.leave} text={text.leaveAccount} />
        </AfterProof>
      </SheetSection>
      <Sessions page={page} />
    </ConsoleFrame>
  )
}

function Sessions({ page }: { page: PageProps }) {
  const text = secondFactorMessages(page.locale)
  return (
    <SheetSection title={text.security}>
      <p>{text.securityLead}</p>
      <ActionLinks links={[{ href: to.sessions, text: text.seeSecurity }]} />
    </SheetSection>
  )
}
