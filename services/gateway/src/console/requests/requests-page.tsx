// The page of the request log: the calls of an account and their answers. [D62]
import type { Environment } from '@paraph/protocol/environment'
import { errorPageOf } from '@paraph/protocol/errors'
import { Button, Select, TextField } from '@paraph/web/fields'
import { ERRORS_PATH } from '../../edge/endpoints.js'
import { OUTCOMES, type LoggedCall, type Outcome } from '../../request-log/queries.js'
import { ConsoleFrame } from '../frame/console-frame.js'
import { Instant } from '../frame/instant.js'
import { to } from '../frame/links.js'
import { frameMessages } from '../frame/messages.js'
import { ActionLinks, DataTable, Empty, EnvironmentTabs, Notice } from '../frame/parts.js'
import { countText, type PageProps } from '../frame/page-props.js'
import { requestMessages } from './messages.js'

interface RequestsPageProps {
  page: PageProps
  environment: Environment
  filter: { requestId: string; outcome: Outcome | ''; key: string }
  keys: readonly { id: string; name: string; hint: string }[]
  calls: readonly LoggedCall[]
  /** The cursor of the next page; null if there is none. */
  older: number | null
  /** True for a page that is not the first. */
  isLater: boolean
  /** True if the typed request id is none. */
  isNoId: boolean
  timeZone: string
}

export function RequestsPage(props: RequestsPageProps) {
  const { page, environment, filter, keys, calls, older, isLater, isNoId, timeZone } = props
  const { locale } = page
  const text = requestMessages(locale)
  const names: Record<Outcome, string> = {
    '2xx': text.succeeded,
    '3xx': text.unchanged,
    '4xx': text.refused,
    '5xx': text.failed,
  }
  const pageAt = (cursor: Record<string, string>): string =>
    `${to.requests}?${new URLSearchParams({ environment, ...filter, ...cursor }).toString()}`
  const isFiltered = Object.values(filter).some((value) => value !== '')
  return (
    <ConsoleFrame page={page} at="requests">
      <div class="head">
        <div>
          <h1>{frameMessages(locale).requests}</h1>
          <p class="soft">{text.lead}</p>
        </div>
        <EnvironmentTabs {...{ locale, environment, href: to.requests }} />
      </div>
      <form class="filters" method="get" action={to.requests}>
        <input type="hidden" name="environment" value={environment} />
        <TextField name="requestId" label={text.requestId} value={filter.requestId} autocomplete="off" />
        <Select
          name="outcome"
          label={text.answer}
          value={filter.outcome}
          choices={[{ value: '', label: text.all }, ...OUTCOMES.map((value) => ({ value, label: names[value] }))]}
        />
        <Select
          name="key"
          label={text.key}
          value={filter.key}
          choices={[
            { value: '', label: text.all },
            ...keys.map(({ id, name, hint }) => ({ value: id, label: `${name} (${hint})` })),
          ]}
        />
        <Button look="quiet">{text.show}</Button>
      </form>
      <Notice kind="warning" text={isNoId && text.notAnId} />
      {calls.length === 0 ? (
        <Empty text={isFiltered ? text.noMatch : text.none} />
      ) : (
        <DataTable
          label={text.call}
          heads={[text.time, text.call, text.answer, text.took, text.key, text.requestId]}
          rows={calls.map((call) => ({
            id: String(call.id),
            cells: [
              <Instant at={call.at} {...{ locale, timeZone }} seconds />,
              <span class="mono">
                {call.method} {call.route}
              </span>,
              <Answer {...call} />,
              text.milliseconds(countText({ count: call.durationMs, isMore: false }, locale)),
              <bdi>{call.keyName}</bdi>,
              <span class="mono small">{call.requestId}</span>,
            ],
          }))}
        />
      )}
      <ActionLinks
        links={[
          isLater && { href: pageAt({}), text: text.newest },
          older !== null && { href: pageAt({ before: String(older) }), text: text.older },
        ]}
      />
    </ConsoleFrame>
  )
}

/** The status, and the error code with a link to its page. */
function Answer({ status, code }: Pick<LoggedCall, 'status' | 'code'>) {
  return (
    <>
      {status}
      {code !== null && (
        <div class="sub">
          <a href={errorPageOf(ERRORS_PATH, code)}>{code}</a>
        </div>
      )}
    </>
  )
}
