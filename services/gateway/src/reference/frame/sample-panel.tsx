// A code sample in the chosen language. The other languages are links to the same page, so that no script is needed.
import { referenceMessages } from '../messages.js'
import type { PageProps } from '../page-props.js'
import { CODE_LANGUAGES, sampleFor } from '../samples.js'
import { CodePanel } from './code-panel.js'

/** @param sample name of the sample; a sample in a single language has no tabs */
export function SamplePanel({ page, sample, title }: { page: PageProps; sample: string; title: string }) {
  const text = referenceMessages(page.locale)
  const codes = sampleFor(sample, page)
  const shown = codes[page.codeLanguage] === undefined ? 'curl' : page.codeLanguage
  const label = page.place.label(title)
  const panelId = page.place.id(`sample-${sample}`)
  const links = CODE_LANGUAGES.filter(({ id }) => codes[id] !== undefined).map(({ id, name }) => ({
    text: name,
    href: `${page.path}?code=${id}#${panelId}`,
    isHere: id === shown,
  }))
  return (
    <CodePanel
      id={panelId}
      title={label}
      code={codes[shown] ?? ''}
      isJson={shown === 'curl'}
      tabs={links.length > 1 ? { label: text.languages(label), links } : undefined}
      copy={{ label: text.copy, done: text.copied }}
    />
  )
}
