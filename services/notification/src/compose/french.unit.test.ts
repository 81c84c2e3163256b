// The typography of every French text in a mail. [D25]
import { expect, it } from '@jest/globals'
import { frenchTypographyFaults } from '@paraph/testing/french-typography'
import {
  mailDataFor,
  MAIL_SETTINGS,
  OWNER_MAIL_NAMES,
  sampleMailData,
  sampleOwnerMail,
  SENT_AT,
} from '../../test/mail-fixture.js'
import { MAIL_KINDS, type MailKind } from '../database.js'
import { composeMail } from './contract-mail.js'
import type { MailData } from './mail-data.js'
import { composeOwnerMail } from './owner-mail.js'

const LANGUAGES = ['fr', 'en+fr'] as const

/** The variants of the data that change sentences. */
const VARIANTS: Partial<MailData>[] = [
  {},
  { environment: 'sandbox', timeZone: 'America/Toronto', partyCount: 2 },
  { shareUrl: null, cancelledAt: '2026-12-01T14:03:00.000Z' },
  { sameMailbox: [3, 4, 1, 0], expiresAt: '2026-12-01T14:03:00.000Z' },
]

function compose(kind: MailKind, data: MailData) {
  const copy = kind === 'completed' ? Buffer.alloc(2_345_000) : undefined
  const code = kind === 'code' ? '482913' : undefined
  return composeMail(
    { kind, contractId: 'c1', partyIndex: 1, sendNumber: 2, code, copy, sentAt: SENT_AT },
    mailDataFor(kind, data),
    MAIL_SETTINGS,
  )
}

const mails = LANGUAGES.flatMap((language) => [
  ...OWNER_MAIL_NAMES.map((name) => composeOwnerMail(sampleOwnerMail(name, language), MAIL_SETTINGS)),
  ...MAIL_KINDS.flatMap((kind) => VARIANTS.map((data) => compose(kind, sampleMailData({ ...data, language })))),
]).flatMap((composed) => ('mail' in composed ? [composed.mail] : []))

const withoutTags = (markup: string): string => markup.replace(/<style>.*?<\/style>|<[^>]*>/gs, '')

/** The French texts: all of a mail in French, and the parts of a mail in two languages that are marked as French. */
const texts = mails.flatMap(({ subject, text, html }) =>
  html.includes('<html lang="fr">')
    ? [subject, text, withoutTags(html)]
    : [...html.matchAll(/<(div|span) lang="fr">(.*?)<\/\1>/gs)].map(([, , part]) => withoutTags(part!)),
)

it('every French text of a mail has the spacing and the signs of Canadian French [D25]', () => {
  expect(texts.length).toBeGreaterThan(100)
  expect(texts.flatMap(frenchTypographyFaults)).toEqual([])
})
