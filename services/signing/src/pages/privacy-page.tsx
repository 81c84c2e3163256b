import { CeremonyFrame, type PageProps } from './ceremony-frame.js'
import { helpWords } from './help-dictionary.js'
import { mailLink } from './mail-link.js'
import { setNames } from '@paraph/web/names-in-words'

export interface PrivacyPageProps extends PageProps {
  operatorAddress?: string | undefined
}

/** /privacy: what is kept, who sees it, cookies, erasure. [D29, D30, D33, D43] */
export function PrivacyPage({ operatorAddress, ...page }: PrivacyPageProps) {
  const say = helpWords(page.locale)
  return (
    <CeremonyFrame page={page} title={say.privacyTitle}>
      <div class="prose">
        <h1>{say.privacyTitle}</h1>
        <p class="lead">{say.privacyLead}</p>
        {say.privacy.flatMap((section) => [
          <h2 id={section.id}>{section.title}</h2>,
          ...section.paragraphs.map((paragraph) => <p>{paragraph}</p>),
        ])}
        {operatorAddress !== undefined && <p>{setNames(say.privacyTo, mailLink(operatorAddress))}</p>}
      </div>
    </CeremonyFrame>
  )
}
