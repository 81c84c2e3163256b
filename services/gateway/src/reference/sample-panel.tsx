// A code sample in the chosen language. The other languages are links to the same page, so that no script is needed.
import { CodePanel } from '@paraph/web/code-panel'
import type { PageProps } from './page-props.js'
import { CODE_LANGUAGES, sampleFor } from './samples.js'
import { referenceMessages } from './messages.js'

/** @param sample name of the sample; a sample in a single language has no tabs */
export function SamplePanel({ page, sample, title }: { page: PageProps; sample: string; title: string }) {
  const codes = sampleFor(sample, page)
  const shown = codes[page.codeLanguage] === undefined ? 'curl' : page.codeLanguage
  const links = CODE_LANGUAGES.filter(({ id }) => codes[id] !== undefined).map(({ id, name }) => ({
    text: name,
    href: `${page.path}?code=${id}#${sample}`,
    isHere: id === shown,
  }))
  return (
    <CodePanel
      id={sample}
      title={title}
      code={codes[shown] ?? ''}
      isJson={shown === 'curl'}
      tabs={links.length > 1 ? { label: referenceMessages(page.locale).languages(title), links } : undefined}
    />
  )
}
