import { describe, expect, it } from '@jest/globals'
import { logoPath, type LogoFacts } from '@paraph/protocol/brand'
import { brandedMails, HOSTILE_NAME, mailCatalogue } from '../../test/mail-catalogue-fixture.js'
import {
  mailDataFor,
  mailOf,
  MAIL_SETTINGS,
  sampleMailData,
  sampleOwnerMail,
  SENT_AT,
} from '../../test/mail-fixture.js'
import { SAMPLE_LOGO_FACTS } from '@paraph/testing/test/logo-fixture'
import { sampleLook } from '../../test/sample-brand-fixture.js'
import { MAIL_KINDS, type ClaimedDelivery, type MailKind } from '../database.js'
import { createComposer } from './compose-delivery.js'
import { composeMail } from './contract-mail.js'
import type { Look } from './mail-data.js'

const LOGO_URL = `${MAIL_SETTINGS.shareBaseUrl}${logoPath(SAMPLE_LOGO_FACTS)}`
const OUR_MARK = '<strong class="m" style="border-bottom:2px solid #26399e">Paraph</strong>'

const composed = (kind: MailKind, look?: Look, accountName = look?.accountName) => {
  const sameMailbox = kind === 'readdressed' ? [] : [1]
  const sample = sampleMailData({ look, sameMailbox, ...(accountName !== undefined && { accountName }) })
  const delivery = { kind, contractId: 'contract-1', partyIndex: 1, sendNumber: 1, code: '482913', sentAt: SENT_AT }
  return composeMail({ ...delivery, copy: Buffer.alloc(9) }, mailDataFor(kind, sample), MAIL_SETTINGS)
}
const sent = (kind: MailKind, look?: Look) => mailOf(composed(kind, look))
const imagesOf = (html: string): Record<string, string>[] =>
  [...html.matchAll(/<img\b([^>]*)>/g)].map(([, attributes = '']) =>
    Object.fromEntries([...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key, value]) => [key, value])),
  )

describe.each(MAIL_KINDS)('a mail of the kind %s', (kind) => {
  it('shows the logo from our origin in place of our mark, and ends with the mark in both parts [D59]', () => {
    const { html, text } = sent(kind, sampleLook())
    expect(imagesOf(html)).toMatchObject([{ src: LOGO_URL, alt: 'Nordic Foods Ltd.', width: '184', height: '48' }])
    expect(html.split(OUR_MARK)).toHaveLength(2)
    expect(html).toMatch(/via <strong class="m"/)
    expect(html.indexOf(OUR_MARK)).toBeGreaterThan(html.lastIndexOf('<a '))
    // A device looks for its line at the end of a mail with a code.
    expect(text).toMatch(kind === 'code' ? /\n\nvia Paraph\n\n@\S+ #482913\n$/ : /\n\nvia Paraph\n$/)
  })

  it('of an account without a brand is Paraph’s own [D59]', () => {
    const { html, text } = sent(kind)
    expect(html.slice(0, html.indexOf('<h1'))).toContain(OUR_MARK)
    expect(html).not.toMatch(/<img|>via |class="[nl]"|\.[nl]\{/)
    expect(text).not.toMatch(/^via /m)
  })
})

it('a brand without a logo shows the approved name above an underline of the accent colour [D36, D59]', () => {
  const { html } = sent('invitation', sampleLook({ logo: null }))
  expect(imagesOf(html)).toEqual([])
  expect(html.slice(0, html.indexOf('<h1'))).toMatch(
    /<strong\s+class="n"\s+style="border-bottom:2px solid #0b6e4f[^"]*"\s*><bdi>Nordic Foods Ltd\.<\/bdi><\/strong/,
  )
})

it('the accent colour replaces ours everywhere but in our own mark; a brand without one keeps ours [D59]', () => {
  const { html } = sent('invitation', sampleLook())
  expect(html.replaceAll(OUR_MARK, '').match(/#26399e/g)).toBeNull()
  expect(html.match(/#a6b5ff/g)).toHaveLength(1)
  expect(html).toContain('background:#0b6e4f')
  expect(sent('invitation', sampleLook({ accent: null })).html.match(/#26399e/g)!.length).toBeGreaterThan(3)
})

it('a name with markup stays a name: it leaves no attribute and adds no tag [D14, D59]', () => {
  for (const { name, html } of brandedMails.filter(({ name }) => name.includes('hostile'))) {
    expect(html).not.toMatch(/<script|\sonerror="/)
    const [image] = imagesOf(html)
    const alt = HOSTILE_NAME.replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;')
    if (!name.includes('accent')) expect(image).toMatchObject({ src: LOGO_URL, alt })
  }
  expect(Array.from(HOSTILE_NAME)).toHaveLength(100)
})

it.each([
  ['a name with an override of direction', { accountName: 'Nordic \u202Esdoof' }],
  ['a colour that is a style', { accent: '#fff;background:url(//x)' }],
  ['a hash that is a path', { logo: { ...SAMPLE_LOGO_FACTS, sha256: '../../x' } }],
])('no mail shows a brand with %s [D14, D59]', (_, look) => {
  expect(composed('invitation', sampleLook(look), 'Nordic')).toEqual({ invalidField: expect.stringMatching(/^look\./) })
})

it.each<[Pick<LogoFacts, 'width' | 'height'>, [width: number, height: number]]>([
  [{ width: 1_200, height: 1_200 }, [48, 48]],
  [{ width: 1_200, height: 90 }, [200, 15]],
  [{ width: 400, height: 96 }, [200, 48]],
  [{ width: 60, height: 20 }, [60, 20]],
  [{ width: 1_200, height: 1 }, [200, 1]],
  [{ width: 1, height: 1_200 }, [1, 48]],
])('a logo of %j fits into 200 x 48 pixels in its ratio, and is not enlarged [D59]', (size, [width, height]) => {
  const { html } = sent('invitation', sampleLook({ logo: { ...SAMPLE_LOGO_FACTS, ...size } }))
  expect(imagesOf(html)).toMatchObject([{ width: `${width}`, height: `${height}` }])
})

it('an installation with another name has that name in the foot, and the mark nowhere [D59]', () => {
  const { html, text } = sent('invitation', sampleLook({ footName: 'Sign & Co <1>' }))
  expect(text).toMatch(/\n\nvia Sign & Co <1>\n$/)
  expect(html).toContain('via <strong>Sign &amp; Co &lt;1&gt;</strong>')
  expect(html).not.toMatch(/class="m"|Paraph/)
})

describe('the composer', () => {
  const never = new AbortController().signal
  const delivery = { kind: 'invitation', contractId: 'contract-1', partyIndex: 1, sendNumber: 1 } as ClaimedDelivery
  const { look: _, ...contractData } = sampleMailData()
  const { accent, logo } = sampleLook()
  const composerWith = (readBrand: (accountId: string) => Promise<Pick<Look, 'accent' | 'logo'> | undefined>) =>
    createComposer({
      readMailData: () => Promise.resolve(contractData),
      readBrand,
      readCopy: () => Promise.resolve(null),
      openSealed: () => JSON.stringify(sampleOwnerMail('contractCompleted')),
      ...MAIL_SETTINGS,
    })

  it('shows the brand of the account of the contract, and of no other [D59]', async () => {
    const compose = composerWith((id) => Promise.resolve(id === contractData.accountId ? { accent, logo } : undefined))
    const { html } = mailOf(await compose(delivery, never))
    expect(imagesOf(html)).toMatchObject([{ src: LOGO_URL, alt: contractData.accountName }])
    expect(html).toContain('#0b6e4f')
    const other = composerWith((id) => Promise.resolve(id === 'another' ? { accent, logo } : undefined))
    expect(mailOf(await other(delivery, never)).html).not.toContain('<img')
  })

  it('composes no mail while the brand cannot be read, so that the worker tries again [D49, D59]', async () => {
    const compose = composerWith(() => Promise.reject(new Error('database unavailable')))
    await expect(compose(delivery, never)).rejects.toThrow('database unavailable')
    const hangs = composerWith(() => new Promise(() => undefined))
    await expect(hangs(delivery, AbortSignal.abort())).rejects.toThrow('no answer in time')
  })

  it('shows no brand in a mail to an owner, also about a contract [D59]', async () => {
    const compose = composerWith(() => Promise.resolve({ accent, logo }))
    const toOwner = { ...delivery, kind: 'owner_mail', contractId: null, partyIndex: null } as ClaimedDelivery
    const { html, text } = mailOf(await compose(toOwner, never))
    expect(html).toContain(OUR_MARK)
    expect(`${html}${text}`).not.toMatch(/<img|via Paraph|#0b6e4f/)
  })
})

it('the catalogue has mails with and without a brand', () => {
  expect(brandedMails.length).toBeGreaterThan(10)
  expect(mailCatalogue.filter(({ html }) => html.includes('>via ')).length).toBe(brandedMails.length)
})
