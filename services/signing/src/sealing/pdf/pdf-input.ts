// Gathers the content of one sealed PDF from the chain and its contract. PURE. [D25, D30]
// Owns the attachments and the language of the document.
import { mailboxOf } from '@paraph/protocol/text-rules'
import type { Locale } from '@paraph/web/locale'
import { guessLanguage } from '@paraph/web/contract-text/read-text'
import type { ContractView } from '../../clients/contract.js'
import type { EvidenceKey } from '../keys.js'
import { type ChainDisclosure, namesOf, writeDisclosures } from '../../chain/disclosures.js'
import { CONSENTS } from '../../signature/consent-text.js'
import { readCertificate } from './certificate/certificate.js'
import type { Attachment, PdfInput } from './render-pdf.js'

/** The fields of a contract that the PDF shows. */
type PrintedContract = Pick<
  ContractView,
  'contractNumber' | 'contractType' | 'senderName' | 'accountName' | 'createdAt' | 'completedAt' | 'contentSha256'
> &
  Pick<ContractView, 'environment' | 'language'> & {
    parties: readonly Pick<ContractView['parties'][number], 'role' | 'legalName' | 'email'>[]
  }

/** Every version of the consent sentence, in each language. */
const CONSENT_TEXTS = CONSENTS.flatMap(({ id, text }) =>
  (['en', 'fr'] as const).map((language) => ({ id, language, text: text[language] })),
)

interface SealedContract {
  view: PrintedContract
  content: string
  lines: readonly string[]
  disclosures: readonly ChainDisclosure[]
  jws: string
  evidence: Pick<EvidenceKey, 'keyId' | 'publicPem'>
  version: string
  brand: PdfInput['brand']
  footName: string
}

/** @throws Error when the chain lacks an entry that the certificate shows */
export function toPdfInput({ view, content, lines, disclosures, jws, evidence, ...more }: SealedContract): PdfInput {
  const { contractNumber, contractType, senderName, accountName, contentSha256, createdAt, environment } = view
  const parties = view.parties.map(({ role, legalName, email }) => ({ role, legalName, mailbox: mailboxOf(email) }))
  const completedAt = new Date(view.completedAt!)
  return {
    ...more,
    content,
    sealedAt: completedAt,
    isSandbox: environment === 'sandbox',
    certificate: readCertificate(lines, disclosures, parties, CONSENT_TEXTS),
    locale: localeOf(view.language, content),
    contract: {
      contractNumber,
      contractType,
      senderName,
      accountName,
      contentSha256,
      completedAt,
      createdAt: new Date(createdAt),
      keyId: evidence.keyId,
    },
    attachments: [
      attach(ATTACHED.content, 'text/plain', 'Source', 'The contract', content),
      attach(ATTACHED.evidence, 'application/jose', 'Data', 'The signed evidence', jws),
      attach(
        ATTACHED.key,
        'application/x-pem-file',
        'Supplement',
        'The public key of the evidence',
        evidence.publicPem,
      ),
      attach(ATTACHED.names, 'text/plain', 'Data', 'The names in the evidence', writeDisclosures(namesOf(disclosures))),
    ],
  }
}

function attach(
  name: string,
  type: string,
  relationship: Attachment['relationship'],
  description: string,
  text: string,
): Attachment {
  return { name, type, relationship, description, bytes: Buffer.from(text) }
}

/** The one language of the document: the account's language, or the language of the text if the account uses both. */
const localeOf = (language: ContractView['language'], content: string): Locale =>
  language === 'en+fr' ? (guessLanguage(content) === 'fr' ? 'fr' : 'en') : language

/** The files attached to a sealed PDF. */
export const ATTACHED = {
  content: 'contract.txt',
  evidence: 'evidence.jws',
  key: 'paraph.pem',
  names: 'names.txt',
} as const
