// The list of sections beside every page: those of the account that the reader's role includes, or those of the operator.
import { LanguageLink } from '@paraph/web/layout'
import { isolateNames } from '@paraph/web/names-in-words'
import { to } from './links.js'
import { frameMessages, tierName } from './messages.js'
import { countText, inOtherLanguage, isOperatorSection, mayUse, OPERATOR_SECTIONS } from './page-props.js'
import type { PageProps, Section, ShellProps } from './page-props.js'
import { BoldName, Mailbox } from './parts.js'

export function Sections({ page, at }: { page: PageProps; at: Section }) {
  const text = frameMessages(page.locale)
  const { account, operator, mailbox } = page.shell ?? { account: undefined, operator: undefined, mailbox: '' }
  const isForOperator = isOperatorSection(at)
  const foot = [
    isForOperator
      ? account && (
          <a href={to.home}>
            <span>{isolateNames(text.toAccount, account.name)}</span>
          </a>
        )
      : operator && <a href={to.operator.applications}>{text.operator}</a>,
    <a href={to.docs}>{text.reference}</a>,
    page.statusHref !== undefined && <a href={page.statusHref}>{text.status}</a>,
    page.path !== undefined && <LanguageLink locale={page.locale} href={inOtherLanguage(page)} />,
    <a href={to.signOut}>{text.signOut}</a>,
  ]
  return (
    <nav class="sections" aria-label={text.sections}>
      {isForOperator
        ? operator && <OperatorSections {...{ page, operator, at }} />
        : account && <AccountSections {...{ page, account, at }} />}
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
  const inEnvironment = (path: string, which = environment): string => `${path}?environment=${which}`
  // A developer reads contracts and usage of the sandbox alone, also beside a page about production.
  const readable = mayUse(page, 'read') ? environment : 'sandbox'
  return (
    <>
      <p class="side-name">
        <BoldName name={name} /> <span>{'tier' in access ? text.planOf(tierName(access.tier)) : text.noPlan}</span>
      </p>
      <ul>
        <SectionLink {...{ page, at }} section="overview" href={inEnvironment(to.overview, readable)} />
        <SectionLink
          {...{ page, at }}
          section="contracts"
          href={inEnvironment(to.contracts, readable)}
          count={contracts && countText(contracts[readable], page.locale)}
        />
        {mayUse(page, 'develop') && (
          <>
            <SectionLink {...{ page, at }} section="keys" href={to.keys} count={keys} />
            <SectionLink {...{ page, at }} section="requests" href={inEnvironment(to.requests)} />
            <SectionLink {...{ page, at }} section="webhooks" href={inEnvironment(to.webhooks)} />
            <SectionLink {...{ page, at }} section="testMail" href={to.testMails} />
          </>
        )}
        {mayUse(page, 'manage') && <SectionLink {...{ page, at }} section="plan" href={to.plan} />}
        <SectionLink {...{ page, at }} section="account" href={to.account} />
      </ul>
    </>
  )
}

function OperatorSections({ page, at, operator }: GroupProps & { operator: NonNullable<ShellProps['operator']> }) {
  const { applications, reports } = operator
  const counts = { applications, reports: reports && countText(reports, page.locale) }
  return (
    <ul>
      {OPERATOR_SECTIONS.map((section) => (
        <SectionLink
          key={section}
          {...{ page, at, section }}
          href={to.operator[section]}
          count={section === 'applications' || section === 'reports' ? counts[section] : undefined}
        />
      ))}
    </ul>
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
