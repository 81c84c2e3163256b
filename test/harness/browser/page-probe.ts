// Measurements of a page in a real browser: sizes, targets, colours, text, and violations of the policy.
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
  /** Targets under 44 (buttons, fields) or 24 CSS pixels (others), with their sizes. */
  smallTargets: string[]
  /** Visible forms, buttons and navigation. */
  controls: string[]
  /** The colour of the background. */
  paper: string
  /** The colours of the visible text. */
  colours: string[]
  text: string
  /** Resources that the content security policy blocked, since `listenForViolations`. */
  violations: string[]
}

/** From the next navigation on, `probe` reports the violations of the content security policy. Needs scripts. */
export const listenForViolations = (page: Page): Promise<unknown> => page.addInitScript(LISTEN)

export const probe = (page: Page): Promise<Probe> => page.evaluate<Probe>(PROBE)

/**
 * Findings of axe over the whole page, closed disclosures opened, one line each.
 * `rules`: only these rules, if the others were checked before.
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
