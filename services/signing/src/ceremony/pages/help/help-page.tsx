// /help and /privacy. [D29, D30, D33, D43]
import { CHAIN_COMMANDS, CHECK_COMMANDS, KEY_COMMANDS, READ_COMMANDS } from '@paraph/web/check-commands'
import { isolateNames } from '@paraph/web/names-in-words'
import { CeremonyFrame, Commands, mailLink, type PageProps } from '../frame/ceremony-frame.js'
import { PUBLIC_KEYS } from '../frame/links.js'
import { helpMessages } from './messages.js'

interface HelpPageProps extends PageProps {
  /** The operator's address for mail about misuse and data; undefined: the page names no address. */
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
        <Section id="how" title={messages.howTitle} paragraphs={[messages.how, messages.howSeparately]} />
        <Section id="code" title={messages.codeTitle} paragraphs={[messages.code, messages.codeAgain]} />
        <Section id="mailbox" title={messages.mailboxTitle} paragraphs={[messages.mailbox]} />
        <Section id="mistake" title={messages.mistakeTitle} paragraphs={[messages.mistake]} />
        <Section id="no" title={messages.noTitle} paragraphs={[messages.no]} />
        <Section id="check" title={messages.checkTitle} paragraphs={[messages.checkFiles]} />
        <Commands lines={CHECK_COMMANDS} />
        <p>{messages.checkEntries}</p>
        <Commands lines={READ_COMMANDS} />
        <p>{messages.checkOrder}</p>
        <Commands lines={CHAIN_COMMANDS} />
        <p>{messages.checkKey}</p>
        <Commands lines={KEY_COMMANDS} />
        <p>
          <a class="plain-link" href={PUBLIC_KEYS} download="paraph-evidence.pem">
            {messages.keys}
          </a>
        </p>
        <p>{messages.notProven}</p>
        <Section id="report" title={messages.reportTitle} paragraphs={[messages.reportLead]} />
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
        <Section id="kept" title={messages.keptTitle} paragraphs={messages.kept} />
        <Section id="seen" title={messages.seenTitle} paragraphs={[messages.seenByParties, messages.seenByLink]} />
        <Section id="cookies" title={messages.cookiesTitle} paragraphs={[messages.cookies]} />
        {operatorAddress !== undefined && <p>{isolateNames(messages.privacyTo, mailLink(operatorAddress))}</p>}
      </div>
    </CeremonyFrame>
  )
}

const Section = ({ id, title, paragraphs }: { id: string; title: string; paragraphs: readonly string[] }) => (
  <>
    <h2 id={id}>{title}</h2>
    {paragraphs.map((paragraph) => (
      <p key={paragraph}>{paragraph}</p>
    ))}
  </>
)
