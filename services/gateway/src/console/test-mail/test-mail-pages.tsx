// The test mailbox: the mails of sandbox contracts. [D64]
import type { inferRouterOutputs } from '@trpc/server'
import type { RpcRouter } from '@paraph/notification/rpc-router'
import { Details } from '@paraph/web/sheet'
import { ConsoleFrame } from '../frame/console-frame.js'
import { Instant } from '../frame/instant.js'
import { to } from '../frame/links.js'
import { frameMessages } from '../frame/messages.js'
import type { PageProps } from '../frame/page-props.js'
import { ActionLinks, Back, DataTable, Empty, Mailbox, Paper, SheetSection } from '../frame/parts.js'
import { testMailMessages } from './messages.js'

type TestMail = inferRouterOutputs<RpcRouter>['testMail']
export type ListedMail = TestMail['list'][number]
export type ShownMail = Omit<TestMail['read'], 'raw'>

interface TestMailsProps {
  page: PageProps
  mails: readonly ListedMail[]
  timeZone: string
}

export function TestMailsPage({ page, mails, timeZone }: TestMailsProps) {
  const { locale } = page
  const text = testMailMessages(locale)
  return (
    <ConsoleFrame page={page} at="testMail" lead={text.lead}>
      {mails.length === 0 ? (
        <Empty text={text.none} />
      ) : (
        <DataTable
          label={frameMessages(locale).testMail}
          class="linked-rows"
          heads={[text.subject, text.to, text.time]}
          rows={mails.map((mail) => ({
            id: String(mail.id),
            cells: [
              <a href={to.testMail(mail.id)}>{mail.subject}</a>,
              <Mailbox address={mail.to} />,
              <Instant at={new Date(mail.at)} {...{ locale, timeZone }} seconds />,
            ],
          }))}
        />
      )}
    </ConsoleFrame>
  )
}

export function TestMailPage({ page, mail, timeZone }: Omit<TestMailsProps, 'mails'> & { mail: ShownMail }) {
  const { locale } = page
  const text = testMailMessages(locale)
  return (
    <ConsoleFrame page={page} at="testMail" title={mail.subject}>
      <div>
        <Back href={to.testMails}>{frameMessages(locale).testMail}</Back>
        <h1>{mail.subject}</h1>
      </div>
      <Paper>
        <Details
          rows={[
            { label: text.to, value: <Mailbox address={mail.to} /> },
            { label: text.time, value: <Instant at={new Date(mail.at)} {...{ locale, timeZone }} seconds /> },
          ]}
        />
      </Paper>
      <SheetSection title={text.text}>
        <pre class="mail-text">{mail.text}</pre>
      </SheetSection>
      <ActionLinks
        links={[
          { href: `${to.testMail(mail.id)}/html`, text: text.asHtml },
          { href: `${to.testMail(mail.id)}/raw`, text: text.raw },
          { href: to.contract('sandbox', mail.contractId), text: text.seeContract },
        ]}
      />
    </ConsoleFrame>
  )
}
