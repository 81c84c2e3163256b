// The pages of the mailbox: the list, and one message as HTML, text or headers. Pure.
import type { ComponentChildren } from 'preact'
import { formatTime } from '@paraph/web/dates'
import { Frame } from './frame.js'
import type { MessageSummary, StoredMessage } from './store.js'

export const VIEWS = ['html', 'text', 'headers'] as const
type View = (typeof VIEWS)[number]

const TAB_NAMES: Record<View, string> = { html: 'HTML', text: 'Text', headers: 'Headers' }

interface MailboxData {
  styleHref: string
  /** Newest first; at most 100. */
  messages: readonly MessageSummary[]
  /** Number of messages that match the filter. */
  total: number
  /** Only messages to an address that contains this text. */
  filter: string
  current: StoredMessage | undefined
  view: View
  /** False on `/mailbox`, where a phone shows the list, and a wide screen shows the list and the newest message. */
  isMessageChosen: boolean
}

export function MailboxPage({ current, filter, ...data }: MailboxData) {
  // A phone shows either the list or one message.
  const topLinks = [
    ...(data.isMessageChosen ? [{ href: '/mailbox', text: 'All messages' }] : []),
    { href: '/', text: 'Back to start' },
  ]
  const title = data.isMessageChosen && current ? subjectOf(current.summary) : 'Mailbox'
  return (
    <Frame styleHref={data.styleHref} title={title} topLinks={topLinks}>
      <div class="mailbox-head">
        <h1>Mailbox</h1>
        <form class="mailbox-filter" method="get" action="/mailbox" role="search">
          <label class="unseen" for="to">
            Only this address
          </label>
          <input class="input" id="to" name="to" type="search" value={filter} placeholder="Only this address" />
        </form>
        <form method="post" action="/mailbox/empty">
          <button class="button button-quiet" type="submit">
            Empty the mailbox
          </button>
        </form>
      </div>
      {data.messages.length === 0 ? (
        <Nothing filter={filter} />
      ) : (
        <div class={data.isMessageChosen ? 'sheet mailbox mailbox-chosen' : 'sheet mailbox'}>
          <nav class="mailbox-list" aria-label="Messages">
            <ul>
              {data.messages.map((message) => (
                <Row
                  key={message.id}
                  message={message}
                  href={messageHref(message.id, filter)}
                  isCurrent={message.id === current?.summary.id}
                />
              ))}
            </ul>
            {data.total > data.messages.length && (
              <p class="mailbox-more small soft">
                {`The newest ${data.messages.length} of ${data.total}. Filter by address to find older ones.`}
              </p>
            )}
          </nav>
          {current && <Message message={current} view={data.view} filter={filter} />}
        </div>
      )}
    </Frame>
  )
}

function Row({ message, href, isCurrent }: { message: MessageSummary; href: string; isCurrent: boolean }) {
  return (
    <li>
      <a
        class={isCurrent ? 'mailbox-row mailbox-here' : 'mailbox-row'}
        href={href}
        aria-current={isCurrent || undefined}
      >
        <span class="mailbox-row-top small soft">
          <span>{addressesOf(message)}</span>
          <time dateTime={message.receivedAt}>{formatTime(new Date(message.receivedAt), 'en')}</time>
        </span>
        <strong>
          {subjectOf(message)}
          {!message.isRead && <span class="unseen"> (unread)</span>}
        </strong>
        <span class="mailbox-snippet small soft">{message.snippet}</span>
      </a>
    </li>
  )
}

function Message({ message, view, filter }: { message: StoredMessage; view: View; filter: string }) {
  const { summary, content } = message
  const { id } = summary
  return (
    <article class="mailbox-message" aria-label={subjectOf(summary)}>
      <dl class="mailbox-facts">
        <Field name="From">{summary.from.name || summary.from.address}</Field>
        <Field name="To">{addressesOf(summary)}</Field>
        <Field name="Subject">{subjectOf(summary)}</Field>
        {content.attachments.length > 0 && (
          <Field name="Files">
            {content.attachments.map((part) => (
              <a key={part.partId} class="mailbox-file" href={`/api/v1/message/${id}/part/${part.partId}`}>
                {part.fileName}
              </a>
            ))}
          </Field>
        )}
      </dl>
      <nav class="mailbox-tabs" aria-label="Views of this message">
        {VIEWS.map((each) => (
          <a key={each} href={messageHref(id, filter, each)} aria-current={each === view ? 'page' : undefined}>
            {TAB_NAMES[each]}
          </a>
        ))}
        <a href={`/mailbox/${id}.eml`} download={`${id}.eml`}>
          Download .eml
        </a>
      </nav>
      <Body message={message} view={view} />
    </article>
  )
}

const Field = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

function Body({ message: { summary, content }, view }: { message: StoredMessage; view: View }) {
  if (view === 'headers') {
    return (
      <dl class="mailbox-headers mono">
        {content.headers.map(({ name, value }, at) => (
          <Field key={at} name={name}>
            {value}
          </Field>
        ))}
      </dl>
    )
  }
  if (view === 'html' && content.html !== '') {
    // No scripts, forms or other origins; links open a new window.
    return (
      <iframe
        class="mailbox-html"
        src={`/mailbox/${summary.id}/html`}
        title="The message as HTML"
        sandbox="allow-popups allow-popups-to-escape-sandbox"
      />
    )
  }
  if (content.text === '') return <p class="soft">{`This message has no ${view === 'html' ? 'HTML' : 'text'} part.`}</p>
  return (
    <>
      {view === 'html' && <p class="soft">This message has no HTML part. Its text:</p>}
      <pre class="mailbox-text mono">
        <Linked text={content.text} />
      </pre>
    </>
  )
}

/** Plain text with web addresses as links. */
function Linked({ text }: { text: string }) {
  // Split by a pattern with one group: every second piece is an address.
  const pieces = text.split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)])/)
  return (
    <>
      {pieces.map((piece, at) =>
        at % 2 === 1 ? (
          <a key={at} href={piece} target="_blank" rel="noopener noreferrer">
            {piece}
          </a>
        ) : (
          piece
        ),
      )}
    </>
  )
}

function Nothing({ filter }: { filter: string }) {
  return (
    <>
      <hr class="bare-line" />
      <p>{filter === '' ? 'No email yet.' : `No email to an address with “${filter}”.`}</p>
      <p class="soft">Every email that Paraph sends arrives here, and nowhere else.</p>
    </>
  )
}

const subjectOf = ({ subject }: MessageSummary): string => subject || 'No subject'

const addressesOf = ({ to, cc, bcc }: MessageSummary): string =>
  [...to, ...cc, ...bcc].map(({ address }) => address).join(', ') || 'nobody'

/** The address of a message, with the current filter. */
function messageHref(id: string, filter: string, view: View = 'html'): string {
  const query = new URLSearchParams({ ...(view !== 'html' && { view }), ...(filter !== '' && { to: filter }) })
  return `/mailbox/${id}${query.size === 0 ? '' : `?${query}`}`
}
