// A sample in the language that was chosen; the others are links to the same page in them, so that it works without a script.
import { CodePanel } from '@paraph/web/code-panel'
import type { PageProps } from './page-props.js'
import { CODE_LANGUAGES, sampleFor, type SampleName } from './samples.js'
import { words } from './words.js'

/** @param sample one that is in a shell alone has no tabs */
export function SamplePanel({ page, sample, title }: { page: PageProps; sample: SampleName; title: string }) {
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
      tabs={links.length > 1 ? { label: words(page.locale).languages(title), links } : undefined}
    />
  )
}
