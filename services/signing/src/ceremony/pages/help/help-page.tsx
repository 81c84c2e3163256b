// /help and /privacy. [D29, D30, D33, D43]
import { isolateNames } from '@paraph/web/names-in-words'
import { CeremonyFrame, mailLink, type PageProps } from '../frame/ceremony-frame.js'
import { EVIDENCE_GUIDE, PUBLIC_KEYS, VERIFY } from '../frame/links.js'
import { helpMessages } from './messages.js'
import { privacyMessages } from './privacy-messages.js'

interface HelpPageProps extends PageProps {
  /** The operator's address for mail about misuse and data; undefined: the page names no address. */
  operatorAddress?: string | undefined
}

/** /help, with sections that other pages and mails link to: #sender, #check, #report. */
export function HelpPage({ operatorAddress, ...page }: HelpPageProps) {
  const messages = helpMessages(page.locale)
  const operator = operatorAddress === undefined ? undefined : mailLink(operatorAddress)
  return (
    <CeremonyFrame page={page} title={messages.title}>
      <div class="prose">
        <h1>{messages.title}</h1>
        <p class="lead">{messages.lead}</p>
        <Section id="how" title={messages.howTitle} paragraphs={messages.how} />
        <Section id="sender" title={messages.senderTitle} paragraphs={messages.sender} />
        <Section id="code" title={messages.codeTitle} paragraphs={messages.code} />
        <Section id="mailbox" title={messages.mailboxTitle} paragraphs={messages.mailbox} />
        <Section id="mistake" title={messages.mistakeTitle} paragraphs={messages.mistake} />
        <Section id="no" title={messages.noTitle} paragraphs={messages.no} />
        <Section id="change" title={messages.changeTitle} paragraphs={messages.change} />
        <Section id="legal" title={messages.legalTitle} paragraphs={messages.legal} />
        <Section id="check" title={messages.checkTitle} paragraphs={messages.check} />
        <p>
          <a class="plain-link" href={VERIFY}>
            {messages.checkHere}
          </a>
          <br />
          <a class="plain-link" href={EVIDENCE_GUIDE}>
            {messages.checkSteps}
          </a>
          <br />
          <a class="plain-link" href={PUBLIC_KEYS} download="paraph-evidence.pem">
            {messages.keys}
          </a>
        </p>
        <Section id="report" title={messages.reportTitle} paragraphs={messages.report} />
        <p>{operator ? isolateNames(messages.reportTo, operator) : messages.reportNoAddress}</p>
        <Section id="contact" title={messages.contactTitle} paragraphs={messages.contact} />
        {operator && <p>{isolateNames(messages.contactOperator, operator)}</p>}
      </div>
    </CeremonyFrame>
  )
}

/** /privacy: stored data, who sees it, cookies, erasure. */
export function PrivacyPage({ operatorAddress, ...page }: HelpPageProps) {
  const messages = privacyMessages(page.locale)
  return (
    <CeremonyFrame page={page} title={messages.title}>
      <div class="prose">
        <h1>{messages.title}</h1>
        <p class="lead">{messages.lead}</p>
        <Section id="kept" title={messages.keptTitle} paragraphs={messages.kept} />
        <Section id="seen" title={messages.seenTitle} paragraphs={messages.seen} />
        <Section id="cookies" title={messages.cookiesTitle} paragraphs={messages.cookies} />
        {operatorAddress !== undefined && <p>{isolateNames(messages.questions, mailLink(operatorAddress))}</p>}
      </div>
    </CeremonyFrame>
  )
}

interface SectionProps {
  id: string
  title: string
  paragraphs: readonly string[]
}

const Section = ({ id, title, paragraphs }: SectionProps) => (
  <>
    <h2 id={id}>{title}</h2>
    {paragraphs.map((paragraph, index) => (
      <p key={index}>{paragraph}</p>
    ))}
  </>
)
