// /help and /privacy. [D29, D30, D33, D43]
import { CeremonyFrame, mailLink, type PageProps } from '../frame/ceremony-frame.js'
import { helpMessages, type Section } from './messages.js'
import { PUBLIC_KEYS } from '../frame/links.js'
import { isolateNames } from '@paraph/web/names-in-words'

interface HelpPageProps extends PageProps {
  /** The operator's address for mail about misuse and data; without it, the page names no address. */
  operatorAddress?: string | undefined
}

/** /help, with "Report this request" at #report. */
export function HelpPage({ operatorAddress, ...page }: HelpPageProps) {
  const messages = helpMessages(page.locale)
  return (
    <CeremonyFrame page={page} title={messages.helpTitle}>
      <div class="prose">
        <h1>{messages.helpTitle}</h1>
        <p class="lead">{messages.helpLead}</p>
        {messages.help.flatMap(markupOf)}
        <h2 id="check">{messages.checkTitle}</h2>
        {messages.check.map(({ says, commands }) => (
          <>
            <p>{says}</p>
            <pre class="mono command" tabindex={0}>
              {commands.join('\n')}
            </pre>
          </>
        ))}
        <p>
          <a class="plain-link" href={PUBLIC_KEYS} download="paraph-evidence.pem">
            {messages.keys}
          </a>
        </p>
        <p>{messages.notProven}</p>
        <h2 id="report">{messages.reportTitle}</h2>
        {messages.report.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        <p>
          {operatorAddress === undefined
            ? messages.reportNoAddress
            : isolateNames(messages.reportTo, mailLink(operatorAddress))}
        </p>
      </div>
    </CeremonyFrame>
  )
}

/** /privacy: stored data, who sees it, cookies, erasure. */
export function PrivacyPage({ operatorAddress, ...page }: HelpPageProps) {
  const messages = helpMessages(page.locale)
  return (
    <CeremonyFrame page={page} title={messages.privacyTitle}>
      <div class="prose">
        <h1>{messages.privacyTitle}</h1>
        <p class="lead">{messages.privacyLead}</p>
        {messages.privacy.flatMap(markupOf)}
        {operatorAddress !== undefined && <p>{isolateNames(messages.privacyTo, mailLink(operatorAddress))}</p>}
      </div>
    </CeremonyFrame>
  )
}

const markupOf = ({ id, title, paragraphs }: Section) => [
  <h2 id={id}>{title}</h2>,
  ...paragraphs.map((paragraph) => <p>{paragraph}</p>),
]
