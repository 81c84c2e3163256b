import { CeremonyFrame, type PageProps } from './ceremony-frame.js'
import { helpWords } from './help-dictionary.js'
import { PUBLIC_KEYS } from './links.js'
import { mailLink } from './mail-link.js'
import { setNames } from '@paraph/web/names-in-words'

export interface HelpPageProps extends PageProps {
  /** Where the operator reads mail about misuse and data; left out, the page names no address. */
  operatorAddress?: string | undefined
}

/** /help, with "Report this request" at #report. */
export function HelpPage({ operatorAddress, ...page }: HelpPageProps) {
  const say = helpWords(page.locale)
  return (
    <CeremonyFrame page={page} title={say.helpTitle}>
      <div class="prose">
        <h1>{say.helpTitle}</h1>
        <p class="lead">{say.helpLead}</p>
        {say.help.flatMap((section) => [
          <h2 id={section.id}>{section.title}</h2>,
          ...section.paragraphs.map((paragraph) => <p>{paragraph}</p>),
        ])}
        <h2 id="check">{say.checkTitle}</h2>
        {say.check.map(({ says, commands }) => (
          <>
            <p>{says}</p>
            <pre class="mono command" tabindex={0}>
              {commands.join('\n')}
            </pre>
          </>
        ))}
        <p>
          <a class="plain-link" href={PUBLIC_KEYS} download="paraph-evidence.pem">
            {say.keys}
          </a>
        </p>
        <p>{say.notProven}</p>
        <h2 id="report">{say.reportTitle}</h2>
        {say.report.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        <p>{operatorAddress === undefined ? say.reportNoAddress : setNames(say.reportTo, mailLink(operatorAddress))}</p>
      </div>
    </CeremonyFrame>
  )
}
