// The messages of the signed PDF in both languages.
import { createDictionary } from '@paraph/web/dictionary'
import { LANGUAGE_TAG, isSingular } from '@paraph/web/locale'
import type { Counts } from '@paraph/web/contract-text/read-text'

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
    en: `Characters in this text that are invisible or change the reading order: ${number(count, 'en')}. Each is printed as a label such as [${example}].`,
    fr: `Caractères de ce texte qui sont invisibles ou changent l’ordre de lecture\u00A0: ${number(count, 'fr')}. Chacun est imprimé sous forme d’étiquette, comme [${example}].`,
  }),
  missing: (count: number, example: string) => ({
    en: `Characters of this text that the fonts of this PDF lack: ${number(count, 'en')}. Each is printed as its number, such as ${example}. The attached contract.txt contains them all.`,
    fr: `Caractères de ce texte absents des polices de ce PDF\u00A0: ${number(count, 'fr')}. Chacun est imprimé sous forme de numéro, comme ${example}. Le fichier joint contract.txt les contient tous.`,
  }),
  missingInNames: {
    en: 'The fonts of this PDF lack some characters of these names. Each is printed as its number. The attached names.txt contains the full names.',
    fr: 'Certains caractères de ces noms sont absents des polices de ce PDF. Chacun est imprimé sous forme de numéro. Le fichier joint names.txt contient les noms complets.',
  },
  blankLines: (count: number) => ({ en: `[${count} blank lines]`, fr: `[${count} lignes vides]` }),
  endOfContract: ({ lines, words, bytes }: Counts) => ({
    en: `End of the contract - ${en(lines, 'line')}, ${en(words, 'word')}, ${en(bytes, 'byte')}`,
    fr: `Fin du contrat - ${fr(lines, 'ligne')}, ${fr(words, 'mot')}, ${fr(bytes, 'octet')}`,
  }),
  testLine: { en: 'Test contract - not legally binding', fr: 'Contrat d’essai - sans valeur juridique' },
  evidenceCertificate: { en: 'Evidence certificate', fr: 'Certificat de preuve' },
  page: (page: number, count: number) => ({ en: `Page ${page} of ${count}`, fr: `Page ${page} sur ${count}` }),
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
    fr: `Création\u00A0: ${created}. Toutes les signatures\u00A0: ${complete}.`,
  }),
  whatWasSigned: { en: 'What was signed', fr: 'Ce qui a été signé' },
  theContractIs: ({ lines, words, bytes }: Counts, hidden: number) => ({
    en: `The contract is the attached contract.txt: ${en(bytes, 'byte')}, ${en(lines, 'line')}, ${en(words, 'word')}, ${hidden === 0 ? 'no hidden characters' : en(hidden, 'hidden character')}. Earlier pages show it.`,
    fr: `Le contrat est le fichier joint contract.txt\u00A0: ${fr(bytes, 'octet')}, ${fr(lines, 'ligne')}, ${fr(words, 'mot')}, ${hidden === 0 ? 'aucun caractère invisible' : fr(hidden, 'caractère invisible', 'caractères invisibles')}. Il est affiché plus haut.`,
  }),
  whoSigned: { en: 'Who signed', fr: 'Qui a signé' },
  role: { en: 'Role', fr: 'Rôle' },
  legalName: { en: 'Legal name', fr: 'Nom légal' },
  typedName: { en: 'Name typed', fr: 'Nom saisi' },
  signedAt: { en: 'Signed (UTC)', fr: 'Signé (UTC)' },
  emailAddress: { en: 'Email address', fr: 'Adresse courriel' },
  confirmedByCode: { en: 'Confirmed by one\u2011time code', fr: 'Par code à usage unique' },
  consent: (language: string, id: string, text: string) => ({
    en: `Consent, shown in ${language} (${id}, SHA-256 in the evidence): “${text}”`,
    fr: `Consentement, affiché en ${language} (${id}, SHA-256 dans la preuve)\u00A0: «\u00A0${text}\u00A0»`,
  }),
  english: { en: 'English', fr: 'anglais' },
  french: { en: 'French', fr: 'français' },
  whatHappened: { en: 'What happened', fr: 'Ce qui s’est passé' },
  line: { en: 'No.', fr: 'N\u00BA' },
  time: { en: 'Time (UTC)', fr: 'Heure (UTC)' },
  event: { en: 'Event', fr: 'Événement' },
  party: { en: 'Party', fr: 'Partie' },
  created: { en: 'Contract created', fr: 'Contrat créé' },
  addressConfirmed: { en: 'Address confirmed', fr: 'Adresse confirmée' },
  codesLocked: { en: '100 wrong codes', fr: '100 codes erronés' },
  textShown: { en: 'Text shown', fr: 'Texte affiché' },
  consentGiven: { en: 'Consent given', fr: 'Consentement donné' },
  submitted: { en: 'Signature submitted', fr: 'Signature soumise' },
  signed: { en: 'Signed', fr: 'Signé' },
  refused: { en: 'Signature refused', fr: 'Signature refusée' },
  declined: { en: 'Declined to sign', fr: 'A refusé de signer' },
  readdressed: { en: 'Email address corrected', fr: 'Adresse courriel corrigée' },
  complete: { en: 'Contract complete', fr: 'Contrat complet' },
  partyNumbers: (numbers: readonly number[]) => ({
    en: `${numbers.length === 1 ? 'Party' : 'Parties'} ${ranges(numbers)}`,
    fr: `${numbers.length === 1 ? 'Partie' : 'Parties'} ${ranges(numbers)}`,
  }),
  parties: (count: number) => ({ en: `${count} parties`, fr: `${count} parties` }),
  allOf: (count: number) => ({ en: `${count} of ${count}`, fr: `${count} sur ${count}` }),
  linesAreChained: {
    en: 'Each entry contains the SHA-256 of the entry before it. The last column shows the first 8 digits of its own.',
    fr: 'Chaque entrée contient le SHA-256 de l’entrée précédente. La dernière colonne montre les 8 premiers caractères du sien.',
  },
  codeSent: (seqs: readonly number[]) => ({
    en: `Not shown: ${seqs.length === 1 ? 'entry' : 'entries'} ${ranges(seqs)}, which ${seqs.length === 1 ? 'records' : 'record'} when a code was sent.`,
    fr: `Non ${seqs.length === 1 ? 'affichée' : 'affichées'}\u00A0: ${seqs.length === 1 ? 'l’entrée' : 'les entrées'} ${ranges(seqs)}, qui ${seqs.length === 1 ? 'indique' : 'indiquent'} l’heure d’envoi d’un code.`,
  }),
  proves: { en: 'What this proves', fr: 'Ce que cela prouve' },
  provesText: {
    en: 'The text has not changed since it was signed.',
    fr: 'Le texte n’a pas changé depuis la signature.',
  },
  provesAddress: {
    en: 'Each party could read email sent to the address on file at the time shown.',
    fr: 'Chaque partie pouvait lire les courriels envoyés à son adresse à l’heure indiquée.',
  },
  provesConsent: {
    en: 'Each party ticked the consent, typed a name and pressed “Sign the contract”.',
    fr: 'Chaque partie a coché le consentement, saisi un nom et appuyé sur «\u00A0Signer le contrat\u00A0».',
  },
  provesNot: { en: 'What it does not prove', fr: 'Ce que cela ne prouve pas' },
  provesNotIdentity: {
    en: 'Who sat at the keyboard. An email address is not an identity document.',
    fr: 'Qui était au clavier. Une adresse courriel n’est pas une pièce d’identité.',
  },
  provesNotAuthority: {
    en: 'That a party had the authority to sign.',
    fr: 'Qu’une partie avait le pouvoir de signer.',
  },
  provesNotQualified: {
    en: 'An advanced or qualified electronic signature. This is a simple electronic signature.',
    fr: 'Une signature électronique avancée ou qualifiée. Celle-ci est une signature électronique simple.',
  },
  seal: { en: 'The seal of this PDF', fr: 'Le sceau de ce PDF' },
  sealIssuer: {
    en: 'A PDF reader may show its issuer as unknown. The issuer is then not on the reader’s own list. It does not mean that the file was changed.',
    fr: 'Un lecteur PDF peut indiquer que l’émetteur est inconnu\u00A0: il ne figure pas dans la liste du lecteur. Cela ne veut pas dire que le fichier a été modifié.',
  },
  checkOffline: { en: 'Check it offline', fr: 'Vérifier hors ligne' },
  saveAttached: {
    en: 'Save the attached files. Compare paraph.pem with the public keys of the service. Its key identifier:',
    fr: 'Enregistrez les fichiers joints. Comparez paraph.pem aux clés publiques du service. Identifiant de la clé\u00A0:',
  },
  firstPrints: {
    en: 'The first command prints the SHA-256 above. The last prints “Signature Verified Successfully”.',
    fr: 'La première commande affiche le SHA-256 ci-dessus. La dernière affiche «\u00A0Signature Verified Successfully\u00A0».',
  },
})

export type PdfMessages = ReturnType<typeof pdfMessages>
