// The pages behind the account page: the audit log, and a refused export. [D4, D23]
import { formatTime } from '@paraph/web/dates'
import type { AuditEntry } from '../../accounts/audit.js'
import { ConsoleFrame } from '../frame/console-frame.js'
import { to } from '../frame/links.js'
import type { PageProps } from '../frame/page-props.js'
import { Back, Paper } from '../frame/parts.js'
import { AuditTable, OlderLink } from './audit-table.js'
import { accountMessages } from './messages.js'

interface AccountAuditProps {
  page: PageProps
  entries: readonly AuditEntry[]
  timeZone: string
  older: number | undefined
}

/** A page of the account's audit log, newest first. */
export function AccountAuditPage({ page, entries, timeZone, older }: AccountAuditProps) {
  const text = accountMessages(page.locale)
  return (
    <ConsoleFrame page={page} title={text.record} at="account">
      <Back href={to.account}>{text.title}</Back>
      <h1>{text.record}</h1>
      <p class="soft">{text.recordLead}</p>
      <AuditTable {...{ locale: page.locale, entries, timeZone }} />
      <OlderLink {...{ page, older, href: to.audit }} />
    </ConsoleFrame>
  )
}

/** The account was exported too often. Status 429. */
export function ExportWaitPage({ page, tryAgainAt }: { page: PageProps; tryAgainAt: Date }) {
  const text = accountMessages(page.locale)
  return (
    <ConsoleFrame page={page} title={text.export} at="account" width="form">
      <Back href={to.account}>{text.title}</Back>
      <h1>{text.export}</h1>
      <Paper>
        <p>{text.exportWait(formatTime(tryAgainAt, page.locale))}</p>
      </Paper>
    </ConsoleFrame>
  )
}
