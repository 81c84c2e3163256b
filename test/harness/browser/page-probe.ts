// Measures a page in a real browser: sizes, click targets, colours, text, accessibility, and violations of the content security policy.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const PROBE = readFileSync(new URL('./in-page.js', import.meta.url), 'utf8')
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const LISTEN =
  "globalThis.policyViolations = []; addEventListener('securitypolicyviolation', (event) => policyViolations.push(`${event.violatedDirective} ${event.blockedURI}`))"
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

interface Probe {
  lang: string
  title: string
  headings: string[]
  /** The class of the element that has the focus. */
  focused: string
  /** CSS pixels by which the page is wider than the window. */
  sideways: number
  /** Click targets below 44 CSS pixels (buttons, fields) or 24 CSS pixels (links), with their sizes. */
  smallTargets: string[]
  /** Visible forms, fields, buttons and navigation. */
  controls: string[]
  /** The colour of the background. */
  paper: string
  /** The colours of the visible text. */
  colours: string[]
  text: string
  /** Resources that the content security policy blocked, since `listenForViolations`. */
  violations: string[]
}

/** Makes `probe` report violations of the content security policy from the next navigation on. The page must allow scripts. */
export const listenForViolations = (page: Page): Promise<unknown> => page.addInitScript(LISTEN)

export const probe = (page: Page): Promise<Probe> => page.evaluate<Probe>(PROBE)

/**
 * Opens every `<details>` element and checks the whole page with axe. @returns one line for each violation
 * @param rules restricts the check to these rules
 */
export async function findBarriers(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
  const isLoaded = await page.evaluate<boolean>("'axe' in globalThis")
  if (!isLoaded) await page.evaluate(AXE)
  const runOnly = rules ? { type: 'rule', values: rules } : { type: 'tag', values: TAGS }
  return page.evaluate<string[]>(
    `axe.run(document, ${JSON.stringify({ runOnly, resultTypes: ['violations'] })}).then(({ violations }) =>
      violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => id + ': ' + help + ' ' + html)))`,
  )
}
