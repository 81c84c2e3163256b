// Draws the evidence certificate. [screens: pdf-01-certificate]
// Owns its layout; its content comes from the chain (certificate.ts).
import { elementAt } from '@paraph/protocol/element-at'
import type { ContractType } from '@paraph/protocol/contract'
import { contractTypeNames } from '@paraph/web/contract-type-names'
import { formatInstant } from '@paraph/web/dates'
import type { Locale } from '@paraph/web/locale'
import { CHECK_COMMANDS } from '@paraph/web/check-commands'
import type { ReadableText } from '@paraph/web/contract-text/read-text'
import { readHidden } from '@paraph/web/contract-text/hidden-characters'
import type { Certificate, Happening } from './certificate.js'
import {
  BODY,
  drawHeading,
  drawText,
  HEADING_HEIGHT,
  MACHINE,
  measureSections,
  type Section,
  SMALL,
  SOFT,
  TITLE,
} from './sections.js'
import type { Style } from '../fonts.js'
import { COLOUR, lineHeight, PAPER, TEXT_WIDTH, type Look } from '../look.js'
import { pdfMessages, type PdfMessages } from '../messages.js'
import { drawSigners } from './signers-table.js'
import { measureTimeline, TIMELINE_LOOK, TIMELINE_WIDTH, WHOSE_WIDTH } from './timeline-table.js'
import type { Sheets } from '../sheets.js'

/** The content of the certificate that does not come from the chain. */
export interface CertificateData {
  contractNumber: string
  contractType: ContractType
  senderName: string
  accountName: string
  createdAt: Date
  completedAt: Date
  contentSha256: string
  /** RFC 7638 thumbprint of the key that signed the evidence. */
  keyId: string
}

/** The left edge of what stands beside the timeline. */
const BESIDE_LEFT = TIMELINE_WIDTH + 14

/** Draws the certificate, starting on a new page. */
export function drawCertificate(
  sheets: Sheets,
  certificate: Certificate,
  contract: CertificateData,
  { counts, hidden }: ReadableText,
  locale: Locale,
): void {
  const { signers, consents, happened } = certificate
  const messages = pdfMessages(locale)
  const rolesOf = (parties: readonly number[]): string =>
    parties.map((index) => elementAt(signers, index).role).join(', ')
  const bold: Look = { ...TIMELINE_LOOK, style: 'sansBold' }
  const isNumbered =
    new Set(signers.map(({ role }) => role)).size < signers.length ||
    happened.some(({ parties }) => sheets.break(readHidden(rolesOf(parties)), bold, { width: WHOSE_WIDTH }).length > 1)
  /** Names parties by role if the roles are unique and short, else by number. */
  const whoseOf = ({ what, parties }: Happening): string => {
    if (what === 'created') return messages.parties(signers.length)
    if (what === 'complete') return messages.allOf(signers.length)
    return isNumbered ? messages.partyNumbers(parties.map((index) => index + 1)) : rolesOf(parties)
  }

  sheets.newPage()
  const type = contractTypeNames(locale)[contract.contractType]
  drawText(sheets, 'H1', messages.signedByAll(signers.length), TITLE)
  sheets.move(3)
  drawText(sheets, 'P', messages.sentBy(type, contract.senderName, contract.accountName), SOFT)
  const when = (at: Date): string => formatInstant(at, locale, { seconds: true })
  drawText(sheets, 'P', messages.createdAndComplete(when(contract.createdAt), when(contract.completedAt)), SOFT)

  drawHeading(sheets, messages.whatWasSigned)
  drawText(sheets, 'P', messages.theContractIs(counts, hidden.count), BODY)
  drawText(sheets, 'P', `SHA-256 ${contract.contentSha256.match(/.{8}/g)!.join(' ')}`, MACHINE)

  drawHeading(sheets, messages.whoSigned)
  drawSigners(sheets, signers, messages, isNumbered)
  sheets.move(3)
  const lacks = (name: string, style: Style): boolean => sheets.glyphs.countMissing(name, style).count > 0
  const isLacking = signers.some(
    ({ role, legalName, typedName }) => lacks(role, 'sans') || lacks(legalName, 'serif') || lacks(typedName, 'serif'),
  )
  if (isLacking) drawText(sheets, 'P', messages.missingInNames, SMALL)
  for (const { id, language, text } of consents) {
    drawText(sheets, 'P', messages.consent(language === 'en' ? messages.english : messages.french, id, text), SMALL)
  }

  drawEvidence(sheets, certificate, whoseOf, contract.keyId, messages)
}

/**
 * Draws the timeline with what the evidence proves, and how to check it. All on this page, the timeline beside the rest, if there is room for
 * it; else the timeline on as many pages as it needs, and what follows together on one page, so that no page holds a few lines alone.
 */
function drawEvidence(
  sheets: Sheets,
  certificate: Certificate,
  whoseOf: (each: Happening) => string,
  keyId: string,
  messages: PdfMessages,
): void {
  const timeline = measureTimeline(sheets, certificate, whoseOf, messages)
  const beside = measureSections(sheets, sectionsOf(messages), BESIDE_LEFT)
  if (Math.max(timeline.height, beside.height) + checkHeight(sheets, messages) <= sheets.room) {
    const top = sheets.y
    timeline.draw(true)
    const below = sheets.y
    sheets.moveTo(top)
    beside.draw()
    sheets.moveTo(Math.max(below, sheets.y))
  } else {
    timeline.draw(false)
    const after = measureSections(sheets, sectionsOf(messages), 0)
    sheets.need(after.height + checkHeight(sheets, messages))
    after.draw()
  }
  drawCheck(sheets, keyId, messages)
}

const sectionsOf = (messages: PdfMessages): Section[] => [
  {
    title: messages.proves,
    points: [messages.provesText, messages.provesAddress, messages.provesConsent],
    bullet: 'filled',
  },
  {
    title: messages.provesNot,
    points: [messages.provesNotIdentity, messages.provesNotAuthority, messages.provesNotQualified],
    bullet: 'hollow',
  },
  { title: messages.seal, points: [messages.sealIssuer] },
]

const COMMANDS_PADDING = { top: 4, bottom: 5 }
const COMMANDS_HEIGHT = CHECK_COMMANDS.length * lineHeight(MACHINE) + COMMANDS_PADDING.top + COMMANDS_PADDING.bottom
const AROUND_COMMANDS = 3

function checkHeight(sheets: Sheets, messages: PdfMessages): number {
  const lines = [messages.saveAttached, messages.firstPrints].flatMap((text) => sheets.break([text], BODY))
  const paragraphs = lines.length * lineHeight(BODY) + lineHeight(MACHINE)
  return HEADING_HEIGHT + paragraphs + AROUND_COMMANDS + COMMANDS_HEIGHT + AROUND_COMMANDS
}

function drawCheck(sheets: Sheets, keyId: string, messages: PdfMessages): void {
  sheets.need(checkHeight(sheets, messages))
  drawHeading(sheets, messages.checkOffline)
  drawText(sheets, 'P', messages.saveAttached, BODY)
  drawText(sheets, 'P', keyId, MACHINE)
  sheets.move(AROUND_COMMANDS)
  const top = sheets.y
  sheets.artifact(() => sheets.doc.roundedRect(PAPER.left, top, TEXT_WIDTH, COMMANDS_HEIGHT, 2).fill(COLOUR.wash))
  sheets.move(COMMANDS_PADDING.top)
  for (const command of CHECK_COMMANDS) drawText(sheets, 'Code', command, MACHINE, { left: 8 })
  sheets.moveTo(top + COMMANDS_HEIGHT + AROUND_COMMANDS)
  drawText(sheets, 'P', messages.firstPrints, BODY)
}
