// The list of sections beside every page: of the account, and of the operator.
import { LanguageLink } from '@paraph/web/layout'
import { isolateNames } from '@paraph/web/names-in-words'
import { to } from './links.js'
import { frameMessages, tierName } from './messages.js'
import { countText, inOtherLanguage, OPERATOR_SECTIONS } from './page-props.js'
import type { PageProps, Section, ShellProps } from './page-props.js'
import { BoldName, Mailbox } from './parts.js'

export function Sections({ page, at }: { page: PageProps; at: Section }) {
  const text = frameMessages(page.locale)
  const { account, operator, mailbox } = page.shell ?? { account: undefined, operator: undefined, mailbox: '' }
  const groups = [
    account && <AccountSections key="account" {...{ page, account, at }} />,
    operator && <OperatorSections key="operator" {...{ page, operator, at }} />,
  ]
  const foot = [
    <a href={to.docs}>{text.reference}</a>,
    page.statusHref !== undefined && <a href={page.statusHref}>{text.status}</a>,
    page.path !== undefined && <LanguageLink locale={page.locale} href={inOtherLanguage(page)} />,
    <a href={to.signOut}>{text.signOut}</a>,
  ]
  return (
    <nav class="sections" aria-label={text.sections}>
      {/* The operator's pages concern no account of theirs, so their own account comes second there. */}
      {OPERATOR_SECTIONS.some((section) => section === at) ? groups.toReversed() : groups}
      <ul class="side-foot">
        {foot.map((link, at) => link && <li key={at}>{link}</li>)}
        <li class="side-mailbox">
          {isolateNames(text.signedInAs, { text: mailbox, markup: <Mailbox address={mailbox} /> })}
        </li>
      </ul>
    </nav>
  )
}

interface GroupProps {
  page: PageProps
  at: Section
}

function AccountSections({ page, at, account }: GroupProps & { account: NonNullable<ShellProps['account']> }) {
  const text = frameMessages(page.locale)
  const { name, access, environment, contracts, keys } = account
  const here = (path: string): string => `${path}?environment=${environment}`
  return (
    <>
      <p class="side-name">
        <BoldName name={name} /> <span>{'tier' in access ? text.planOf(tierName(access.tier)) : text.noPlan}</span>
      </p>
      <ul>
        <SectionLink {...{ page, at }} section="overview" href={here(to.overview)} />
        <SectionLink
          {...{ page, at }}
          section="contracts"
          href={here(to.contracts)}
          count={contracts && countText(contracts[environment], page.locale)}
        />
        <SectionLink {...{ page, at }} section="keys" href={to.keys} count={keys} />
        <SectionLink {...{ page, at }} section="requests" href={here(to.requests)} />
        <SectionLink {...{ page, at }} section="webhooks" href={here(to.webhooks)} />
        <SectionLink {...{ page, at }} section="testMail" href={to.testMails} />
        <SectionLink {...{ page, at }} section="plan" href={to.plan} />
        <SectionLink {...{ page, at }} section="account" href={to.account} />
      </ul>
    </>
  )
}

function OperatorSections({ page, at, operator }: GroupProps & { operator: NonNullable<ShellProps['operator']> }) {
  return (
    <>
      <p class="side-name">
        <strong>{frameMessages(page.locale).operator}</strong>
      </p>
      <ul>
        {OPERATOR_SECTIONS.map((section) => (
          <SectionLink
            key={section}
            {...{ page, at, section }}
            href={to.operator[section]}
            count={section === 'applications' ? operator.applications : undefined}
          />
        ))}
      </ul>
    </>
  )
}

function SectionLink(props: GroupProps & { section: Section; href: string; count?: string | number | undefined }) {
  const { page, at, section, href, count } = props
  return (
    <li>
      <a href={href} aria-current={section === at ? 'page' : undefined}>
        <span>{frameMessages(page.locale)[section]}</span> {count !== undefined && <span class="count">{count}</span>}
      </a>
    </li>
  )
}
