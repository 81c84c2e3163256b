// The contrast of every text of every mail against its background, in light and in dark mode. [WCAG 1.4.3]
import { describe, expect, it } from '@jest/globals'
import { brandedMails, mailCatalogue } from '../../test/mail-catalogue-fixture.js'
import { mailOf, MAIL_SETTINGS, sampleMailData, SENT_AT } from '../../test/mail-fixture.js'
import { sampleLook } from '../../test/sample-brand-fixture.js'
import { composeMail } from './contract-mail.js'
import type { Look } from './mail-data.js'

const MODES = ['light', 'dark'] as const
type Mode = (typeof MODES)[number]

interface Style {
  color: string
  background: string
}

/** The declarations of a style attribute or of a rule. */
function declared(css: string): Partial<Style> {
  const valueOf = (property: string) => new RegExp(`(?:^|;)${property}:(#[0-9a-f]{6})`).exec(css)?.[1]
  const [color, background] = [valueOf('color'), valueOf('background')]
  return { ...(color && { color }), ...(background && { background }) }
}

/** Selector → declarations of the style sheet in dark mode; they are important, so they win over inline styles. */
function darkRules(html: string): Map<string, Partial<Style>> {
  const [, sheet = ''] = /@media\(prefers-color-scheme:dark\)\{((?:[^{}]+\{[^{}]*\})*)\}/.exec(html) ?? []
  return new Map(
    [...sheet.matchAll(/([^{}]+)\{([^{}]*)\}/g)].flatMap(([, selectors, css]) =>
      selectors!.split(',').map((selector) => [selector.trim(), declared(css!)] as const),
    ),
  )
}

/** `color background`, once for each pair in which the mail has text. */
function colourPairs(html: string, mode: Mode): Set<string> {
  const rules = mode === 'dark' ? darkRules(html) : new Map<string, Partial<Style>>()
  const pairs = new Set<string>()
  const open: Style[] = [{ color: '#000000', background: '#ffffff' }]
  for (const [, closes, tag, attributes, text] of html
    .slice(html.indexOf('<body'))
    .matchAll(/<(\/?)(\w+)([^>]*)>|([^<]+)/g)) {
    const style = open.at(-1)!
    if (text !== undefined) {
      if (text.trim() !== '') pairs.add(`${style.color} ${style.background}`)
    } else if (closes) {
      open.pop()
    } else if (tag === 'img' || !attributes!.endsWith('/')) {
      const classes = /class="([^"]*)"/.exec(attributes!)?.[1]?.split(' ') ?? []
      const dark = [tag!, ...classes.map((each) => `.${each}`)].map((selector) => rules.get(selector))
      const own = Object.assign({}, style, declared(/style="([^"]*)"/s.exec(attributes!)?.[1] ?? ''), ...dark) as Style
      // Blocked images show their alternative text.
      if (tag === 'img') pairs.add(`${own.color} ${own.background}`)
      else open.push(own)
    }
  }
  return pairs
}

/** A mail with text in every colour. */
function inSandbox(look: Look) {
  const delivery = { kind: 'invitation', contractId: 'c', partyIndex: 1, sendNumber: 1, code: undefined } as const
  const data = sampleMailData({ environment: 'sandbox', look })
  return [mailOf(composeMail({ ...delivery, sentAt: SENT_AT }, data, MAIL_SETTINGS))]
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(pair: string): number {
  const [lighter, darker] = pair
    .split(' ')
    .map(luminance)
    .toSorted((a, b) => b - a) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

describe.each(MODES)('in %s mode', (mode) => {
  const pairsOf = (mails: { html: string }[]) => [...new Set(mails.flatMap(({ html }) => [...colourPairs(html, mode)]))]

  it('every text has a contrast of 4.5 : 1 or more', () => {
    const pairs = pairsOf(mailCatalogue.filter((mail) => !brandedMails.includes(mail)))
    expect(pairs.filter((pair) => contrast(pair) < 4.5)).toEqual([])
    // Text, muted text, links, the button and the sandbox bar.
    expect(pairs).toHaveLength(5)
  })

  it.each(['#000000', '#000080', '#0b6e4f', '#6b6b6b', '#7a6a00', '#c4006b', '#d00000'])(
    'every text of an account with the accent colour %s has a contrast of 4.5 : 1 or more [D59]',
    (accent) => {
      const pairs = pairsOf(inSandbox(sampleLook({ accent })))
      expect(pairs.filter((pair) => contrast(pair) < 4.5)).toEqual([])
      // In dark mode also the alternative text of the logo.
      expect(pairs).toHaveLength(mode === 'dark' ? 6 : 5)
    },
  )
})

it('no pair of one mode is a pair of the other, so every colour has its dark counterpart', () => {
  const ours = mailCatalogue.filter((mail) => !brandedMails.includes(mail))
  const [light, dark] = MODES.map((mode) => new Set(ours.flatMap(({ html }) => [...colourPairs(html, mode)])))
  expect([...light!].filter((pair) => dark!.has(pair))).toEqual([])
})

it('the computation agrees with WCAG', () => {
  expect(contrast('#000000 #ffffff')).toBeCloseTo(21, 5)
  expect(contrast('#4b535a #191d20')).toBeCloseTo(2.18, 1)
})
