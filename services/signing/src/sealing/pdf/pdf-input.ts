// Everything that one sealed PDF is made of, from the chain and the facts of its contract. PURE. [D25, D30]
// Owns: what is attached under which name, the language of the whole document.
import { mailboxOf } from '@paraph/protocol/text-rules'
import type { Locale } from '@paraph/web/locale'
import { guessLanguage } from '../contract-text/language.js'
import type { ContractFacts } from '../contract-facts.js'
import type { EvidenceKey } from '../evidence-keys.js'
import { namesOf, writeOpenings, type ChainOpening } from '../openings.js'
import { CONSENTS } from '../pages/consent-text.js'
import { ATTACHED } from './attached-files.js'
import { readCertificate } from './certificate.js'
import type { Attachment, PdfInput } from './render-pdf.js'

/** What the PDF needs to know of a contract. */
type Facts = Pick<
  ContractFacts,
  'contractNumber' | 'contractType' | 'senderName' | 'accountName' | 'createdAt' | 'completedAt' | 'contentSha256'
> &
  Pick<ContractFacts, 'environment' | 'language'> & {
    parties: readonly Pick<ContractFacts['parties'][number], 'role' | 'legalName' | 'email'>[]
  }

/** Each sentence that was ever asked for, in each language. */
const SENTENCES = CONSENTS.flatMap(({ id, text }) =>
  (['en', 'fr'] as const).map((language) => ({ id, language, text: text[language] })),
)

/** @throws Error when the chain does not hold what a certificate says */
export function toPdfInput({
  facts,
  content,
  lines,
  openings,
  jws,
  evidence,
  version,
}: {
  facts: Facts
  content: string
  lines: readonly string[]
  openings: readonly ChainOpening[]
  jws: string
  evidence: Pick<EvidenceKey, 'keyId' | 'publicPem'>
  version: string
}): PdfInput {
  const { contractNumber, contractType, senderName, accountName, contentSha256, createdAt, environment } = facts
  const parties = facts.parties.map(({ role, legalName, email }) => ({ role, legalName, mailbox: mailboxOf(email) }))
  const completedAt = new Date(facts.completedAt!)
  return {
    ...{ content, version, sealedAt: completedAt, isSandbox: environment === 'sandbox' },
    certificate: readCertificate(lines, openings, parties, SENTENCES),
    locale: localeOf(facts.language, content),
    facts: {
      ...{ contractNumber, contractType, senderName, accountName, contentSha256, completedAt },
      createdAt: new Date(createdAt),
      keyId: evidence.keyId,
    },
    attachments: [
      attach(ATTACHED.content, 'text/plain', 'The contract', content),
      attach(ATTACHED.evidence, 'application/jose', 'The signed evidence', jws),
      attach(ATTACHED.key, 'application/x-pem-file', 'The public key of the evidence', evidence.publicPem),
      attach(ATTACHED.names, 'text/plain', 'The names in the evidence', writeOpenings(namesOf(openings))),
    ],
  }
}

const attach = (name: string, type: string, description: string, text: string): Attachment => ({
  ...{ name, type, description },
  bytes: Buffer.from(text),
})

/** One document has one language: where the account writes in both, that of the text. */
const localeOf = (language: ContractFacts['language'], content: string): Locale =>
  language === 'en+fr' ? (guessLanguage(content) === 'fr' ? 'fr' : 'en') : language
