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
  hidden: {
    en: (count: number, example: string) =>
      `This text holds ${en(count, 'character')} that cannot be seen or that reorder what is seen. Each is printed as a label such as [${example}].`,
    fr: (count: number, example: string) =>
      `Ce texte contient ${fr(count, 'caractère invisible ou qui change', 'caractères invisibles ou qui changent')} l’ordre de lecture. Chacun est imprimé sous forme d’étiquette, comme [${example}].`,
  },
  missing: {
    en: (count: number, example: string) =>
      `The fonts of this PDF lack ${number(count, 'en')} of its characters; each is printed as its number, such as ${example}. The attached contract.txt has them all.`,
    fr: (count: number, example: string) =>
      `Les polices de ce PDF n’ont pas ${number(count, 'fr')} de ses caractères; chacun est imprimé par son numéro, comme ${example}. Le fichier joint contract.txt les contient tous.`,
  },
  missingInNames: {
    en: 'The fonts of this PDF lack characters of these names; each is printed as its number. The attached names.txt has them all.',
    fr: 'Les polices de ce PDF n’ont pas tous les caractères de ces noms; les autres sont imprimés par leur numéro. Le fichier joint names.txt les contient tous.',
  },
  blankLines: { en: (count: number) => `[${count} blank lines]`, fr: (count: number) => `[${count} lignes vides]` },
  endOfContract: {
    en: ({ lines, words, bytes }: Counts) =>
      `End of the contract - ${en(lines, 'line')}, ${en(words, 'word')}, ${en(bytes, 'byte')}`,
    fr: ({ lines, words, bytes }: Counts) =>
      `Fin du contrat - ${fr(lines, 'ligne')}, ${fr(words, 'mot')}, ${fr(bytes, 'octet')}`,
  },
  testLine: { en: 'Test contract - not legally binding', fr: 'Contrat d’essai - sans valeur juridique' },
  evidenceCertificate: { en: 'Evidence certificate', fr: 'Certificat de preuve' },
  page: {
    en: (page: number, count: number) => `Page ${page} of ${count}`,
    fr: (page: number, count: number) => `Page ${page} de ${count}`,
  },
  signedByAll: {
    en: (count: number) => (count === 2 ? 'Signed by both parties' : `Signed by all ${count} parties`),
    fr: (count: number) => (count === 2 ? 'Signé par les deux parties' : `Signé par les ${count} parties`),
  },
  sentBy: {
    en: (type: string, sender: string, account: string) => `${type}, sent by ${sender} (account: ${account})`,
    fr: (type: string, sender: string, account: string) =>
      `${type}, de la part de ${sender} (compte\u00A0: ${account})`,
  },
  createdAndComplete: {
    en: (created: string, complete: string) => `Created ${created}. Complete ${complete}.`,
    fr: (created: string, complete: string) => `Création\u00A0: ${created}. Signatures complètes\u00A0: ${complete}.`,
  },
  whatWasSigned: { en: 'What was signed', fr: 'Ce qui a été signé' },
  theContractIs: {
    en: ({ lines, words, bytes }: Counts, hidden: number) =>
      `The contract is the attached file contract.txt: ${en(bytes, 'byte')}, ${en(lines, 'line')}, ${en(words, 'word')}, ${hidden === 0 ? 'no hidden characters' : en(hidden, 'hidden character')}. The pages before this one show it for reading.`,
    fr: ({ lines, words, bytes }: Counts, hidden: number) =>
      `Le contrat est le fichier joint contract.txt\u00A0: ${fr(bytes, 'octet')}, ${fr(lines, 'ligne')}, ${fr(words, 'mot')}, ${hidden === 0 ? 'aucun caractère invisible' : fr(hidden, 'caractère invisible', 'caractères invisibles')}. Les pages précédentes le montrent pour la lecture.`,
  },
  whoSigned: { en: 'Who signed', fr: 'Qui a signé' },
  role: { en: 'Role', fr: 'Rôle' },
  legalName: { en: 'Legal name', fr: 'Nom légal' },
  typedName: { en: 'Typed when signing', fr: 'Tapé à la signature' },
  signedAt: { en: 'Signed, UTC', fr: 'Signé, UTC' },
  mailbox: { en: 'Mailbox', fr: 'Boîte aux lettres' },
  confirmedByCode: { en: 'Confirmed by one\u2011time code', fr: 'Par code à usage unique' },
  consent: {
    en: (language: string, id: string, text: string) =>
      `Consent, shown in ${language}, ${id}: “${text}” Its SHA-256 is in the evidence.`,
    fr: (language: string, id: string, text: string) =>
      `Consentement, montré en ${language}, ${id}\u00A0: «\u00A0${text}\u00A0» Son SHA-256 est dans la preuve.`,
  },
  english: { en: 'English', fr: 'anglais' },
  french: { en: 'French', fr: 'français' },
  whatHappened: { en: 'What happened', fr: 'Ce qui s’est passé' },
  created: { en: 'Contract created', fr: 'Contrat créé' },
  mailboxConfirmed: { en: 'Mailbox confirmed', fr: 'Boîte confirmée' },
  textShown: { en: 'Text shown', fr: 'Texte montré' },
  consentGiven: { en: 'Consent given', fr: 'Consentement donné' },
  signed: { en: 'Signed', fr: 'Signé' },
  complete: { en: 'Contract complete', fr: 'Contrat complet' },
  partyNumbers: {
    en: (numbers: readonly number[]) => `${numbers.length === 1 ? 'Party' : 'Parties'} ${ranges(numbers)}`,
    fr: (numbers: readonly number[]) => `${numbers.length === 1 ? 'Partie' : 'Parties'} ${ranges(numbers)}`,
  },
  parties: { en: (count: number) => `${count} parties`, fr: (count: number) => `${count} parties` },
  allOf: { en: (count: number) => `${count} of ${count}`, fr: (count: number) => `${count} sur ${count}` },
  timesAreUtc: {
    en: 'Times are UTC. Each line carries the SHA-256 of the line before; the first 8 digits of its own are shown. Lines that are not shown say when codes were sent.',
    fr: 'Heures UTC. Chaque ligne porte le SHA-256 de la précédente; les 8 premiers chiffres du sien sont montrés. Les lignes omises disent quand des codes ont été envoyés.',
  },
  proves: { en: 'What this proves', fr: 'Ce que cela prouve' },
  provesList: {
    en: [
      'The text has not changed since it was signed.',
      'Each party could read the mailbox on file at the time shown.',
      'Each party ticked the consent, typed the name and pressed “Sign the contract”.',
    ] as readonly string[],
    fr: [
      'Le texte n’a pas changé depuis la signature.',
      'Chaque partie pouvait lire la boîte indiquée à l’heure montrée.',
      'Chaque partie a coché le consentement, tapé son nom et appuyé sur «\u00A0Signer le contrat\u00A0».',
    ],
  },
  provesNot: { en: 'What it does not prove', fr: 'Ce que cela ne prouve pas' },
  provesNotList: {
    en: [
      'Who sat at the keyboard. A mailbox is not an identity document.',
      'That a party had the authority to sign.',
      'An advanced or qualified electronic signature. This is a simple electronic signature.',
    ] as readonly string[],
    fr: [
      'Qui était au clavier. Une boîte aux lettres n’est pas une pièce d’identité.',
      'Qu’une partie avait le pouvoir de signer.',
      'Une signature électronique avancée ou qualifiée. Celle-ci est une signature électronique simple.',
    ],
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
