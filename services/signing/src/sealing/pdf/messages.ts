// The messages of the sealed PDF in both languages.
import { createDictionary } from '@paraph/web/dictionary'
import { LANGUAGE_TAG, isSingular } from '@paraph/web/locale'
import type { Counts } from '../../contract-text/read-text.js'

const number = (value: number, locale: 'en' | 'fr'): string => value.toLocaleString(LANGUAGE_TAG[locale])
const some =
  (locale: 'en' | 'fr') =>
  (value: number, one: string, many = `${one}s`): string =>
    `${number(value, locale)} ${isSingular(value, locale) ? one : many}`
const [en, fr] = [some('en'), some('fr')]

/** Ascending numbers as ranges: 1-3, 7. */
function ranges(numbers: readonly number[]): string {
  const runs: [from: number, to: number][] = []
  for (const each of numbers) {
    const last = runs.at(-1)
    if (last && each === last[1] + 1) last[1] = each
    else runs.push([each, each])
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}${to === from + 1 ? ', ' : '-'}${to}`)).join(', ')
}

export const pdfMessages = createDictionary({
  hidden: (count: number, example: string) => ({
    en: `This text holds ${en(count, 'character')} that cannot be seen or that reorder what is seen. Each is printed as a label such as [${example}].`,
    fr: `Ce texte contient ${fr(count, 'caractère invisible ou qui change', 'caractères invisibles ou qui changent')} l’ordre de lecture. Chacun est imprimé sous forme d’étiquette, comme [${example}].`,
  }),
  missing: (count: number, example: string) => ({
    en: `The fonts of this PDF lack ${number(count, 'en')} of its characters; each is printed as its number, such as ${example}. The attached contract.txt has them all.`,
    fr: `Les polices de ce PDF n’ont pas ${number(count, 'fr')} de ses caractères; chacun est imprimé par son numéro, comme ${example}. Le fichier joint contract.txt les contient tous.`,
  }),
  missingInNames: {
    en: 'The fonts of this PDF lack characters of these names; each is printed as its number. The attached names.txt has them all.',
    fr: 'Les polices de ce PDF n’ont pas tous les caractères de ces noms; les autres sont imprimés par leur numéro. Le fichier joint names.txt les contient tous.',
  },
  blankLines: (count: number) => ({ en: `[${count} blank lines]`, fr: `[${count} lignes vides]` }),
  endOfContract: ({ lines, words, bytes }: Counts) => ({
    en: `End of the contract - ${en(lines, 'line')}, ${en(words, 'word')}, ${en(bytes, 'byte')}`,
    fr: `Fin du contrat - ${fr(lines, 'ligne')}, ${fr(words, 'mot')}, ${fr(bytes, 'octet')}`,
  }),
  testLine: { en: 'Test contract - not legally binding', fr: 'Contrat d’essai - sans valeur juridique' },
  evidenceCertificate: { en: 'Evidence certificate', fr: 'Certificat de preuve' },
  page: (page: number, count: number) => ({ en: `Page ${page} of ${count}`, fr: `Page ${page} de ${count}` }),
  signedByAll: (count: number) => ({
    en: count === 2 ? 'Signed by both parties' : `Signed by all ${count} parties`,
    fr: count === 2 ? 'Signé par les deux parties' : `Signé par les ${count} parties`,
  }),
  sentBy: (type: string, sender: string, account: string) => ({
    en: `${type}, sent by ${sender} (account: ${account})`,
    fr: `${type}, de la part de ${sender} (compte\u00A0: ${account})`,
  }),
  createdAndComplete: (created: string, complete: string) => ({
    en: `Created ${created}. Complete ${complete}.`,
    fr: `Création\u00A0: ${created}. Signatures complètes\u00A0: ${complete}.`,
  }),
  whatWasSigned: { en: 'What was signed', fr: 'Ce qui a été signé' },
  theContractIs: ({ lines, words, bytes }: Counts, hidden: number) => ({
    en: `The contract is the attached file contract.txt: ${en(bytes, 'byte')}, ${en(lines, 'line')}, ${en(words, 'word')}, ${hidden === 0 ? 'no hidden characters' : en(hidden, 'hidden character')}. The pages before this one show it for reading.`,
    fr: `Le contrat est le fichier joint contract.txt\u00A0: ${fr(bytes, 'octet')}, ${fr(lines, 'ligne')}, ${fr(words, 'mot')}, ${hidden === 0 ? 'aucun caractère invisible' : fr(hidden, 'caractère invisible', 'caractères invisibles')}. Les pages précédentes le montrent pour la lecture.`,
  }),
  whoSigned: { en: 'Who signed', fr: 'Qui a signé' },
  role: { en: 'Role', fr: 'Rôle' },
  legalName: { en: 'Legal name', fr: 'Nom légal' },
  typedName: { en: 'Typed when signing', fr: 'Tapé à la signature' },
  signedAt: { en: 'Signed, UTC', fr: 'Signé, UTC' },
  mailbox: { en: 'Mailbox', fr: 'Boîte aux lettres' },
  confirmedByCode: { en: 'Confirmed by one\u2011time code', fr: 'Par code à usage unique' },
  consent: (language: string, id: string, text: string) => ({
    en: `Consent, shown in ${language}, ${id}: “${text}” Its SHA-256 is in the evidence.`,
    fr: `Consentement, montré en ${language}, ${id}\u00A0: «\u00A0${text}\u00A0» Son SHA-256 est dans la preuve.`,
  }),
  english: { en: 'English', fr: 'anglais' },
  french: { en: 'French', fr: 'français' },
  whatHappened: { en: 'What happened', fr: 'Ce qui s’est passé' },
  created: { en: 'Contract created', fr: 'Contrat créé' },
  mailboxConfirmed: { en: 'Mailbox confirmed', fr: 'Boîte confirmée' },
  textShown: { en: 'Text shown', fr: 'Texte montré' },
  consentGiven: { en: 'Consent given', fr: 'Consentement donné' },
  signed: { en: 'Signed', fr: 'Signé' },
  complete: { en: 'Contract complete', fr: 'Contrat complet' },
  partyNumbers: (numbers: readonly number[]) => ({
    en: `${numbers.length === 1 ? 'Party' : 'Parties'} ${ranges(numbers)}`,
    fr: `${numbers.length === 1 ? 'Partie' : 'Parties'} ${ranges(numbers)}`,
  }),
  parties: (count: number) => ({ en: `${count} parties`, fr: `${count} parties` }),
  allOf: (count: number) => ({ en: `${count} of ${count}`, fr: `${count} sur ${count}` }),
  timesAreUtc: {
    en: 'Times are UTC. Each line carries the SHA-256 of the line before; the first 8 digits of its own are shown. Lines that are not shown say when codes were sent.',
    fr: 'Heures UTC. Chaque ligne porte le SHA-256 de la précédente; les 8 premiers chiffres du sien sont montrés. Les lignes omises disent quand des codes ont été envoyés.',
  },
  proves: { en: 'What this proves', fr: 'Ce que cela prouve' },
  provesText: {
    en: 'The text has not changed since it was signed.',
    fr: 'Le texte n’a pas changé depuis la signature.',
  },
  provesMailbox: {
    en: 'Each party could read the mailbox on file at the time shown.',
    fr: 'Chaque partie pouvait lire la boîte indiquée à l’heure montrée.',
  },
  provesConsent: {
    en: 'Each party ticked the consent, typed the name and pressed “Sign the contract”.',
    fr: 'Chaque partie a coché le consentement, tapé son nom et appuyé sur «\u00A0Signer le contrat\u00A0».',
  },
  provesNot: { en: 'What it does not prove', fr: 'Ce que cela ne prouve pas' },
  provesNotIdentity: {
    en: 'Who sat at the keyboard. A mailbox is not an identity document.',
    fr: 'Qui était au clavier. Une boîte aux lettres n’est pas une pièce d’identité.',
  },
  provesNotAuthority: {
    en: 'That a party had the authority to sign.',
    fr: 'Qu’une partie avait le pouvoir de signer.',
  },
  provesNotQualified: {
    en: 'An advanced or qualified electronic signature. This is a simple electronic signature.',
    fr: 'Une signature électronique avancée ou qualifiée. Celle-ci est une signature électronique simple.',
  },
  checkOffline: { en: 'Check it offline', fr: 'Vérifier hors ligne' },
  saveAttached: {
    en: 'Save the attached files. Compare paraph.pem with the service’s public keys; its key identifier:',
    fr: 'Enregistrez les fichiers joints. Comparez paraph.pem aux clés publiques du service; son identifiant\u00A0:',
  },
  firstPrints: {
    en: 'The first command prints the SHA-256 above. The last prints “Signature Verified Successfully”.',
    fr: 'La première commande affiche le SHA-256 ci-dessus. La dernière affiche «\u00A0Signature Verified Successfully\u00A0».',
  },
})

export type PdfMessages = ReturnType<typeof pdfMessages>
