// Messages of /verify, in English and Canadian French: the form, and for each finding of a check a sentence without jargon. [D68]
import { createDictionary } from '@paraph/web/dictionary'
import { isSingular } from '@paraph/web/locale'

const people = (count: number) => ({
  en: `${count} ${isSingular(count, 'en') ? 'person' : 'people'}`,
  fr: `${count} ${isSingular(count, 'fr') ? 'personne' : 'personnes'}`,
})

export const verifyMessages = createDictionary({
  // The form
  title: { en: 'Check a signed document', fr: 'Vérifier un document signé' },
  lead: {
    en: 'Choose the signed PDF. This site checks it, says what it found, and keeps nothing.',
    fr: 'Choisissez le PDF signé. Ce site le vérifie, dit ce qu’il a trouvé et ne conserve rien.',
  },
  file: { en: 'Signed PDF or evidence.jws', fr: 'PDF signé ou evidence.jws' },
  fileHint: { en: 'At most 30\u00A0MB.', fr: 'Au plus 30\u00A0Mo.' },
  check: { en: 'Check the document', fr: 'Vérifier le document' },
  missing: { en: 'Choose a file', fr: 'Choisissez un fichier' },
  tooLarge: {
    en: 'This file has more than 30\u00A0MB. A signed PDF from Paraph is far smaller.',
    fr: 'Ce fichier dépasse 30\u00A0Mo. Un PDF signé de Paraph est bien plus petit.',
  },
  tooCostly: {
    en: 'This file takes too much time or memory to check, so we stopped. A signed PDF from Paraph does not. Treat this file as not checked.',
    fr: 'La vérification de ce fichier demande trop de temps ou de mémoire; nous l’avons arrêtée. Un PDF signé de Paraph n’en demande pas autant. Considérez ce fichier comme non vérifié.',
  },
  withoutUs: {
    en: 'You can also check it without this site:',
    fr: 'Vous pouvez aussi le vérifier sans ce site\u00A0:',
  },
  steps: { en: 'the check, step by step', fr: 'la vérification, étape par étape' },

  // The first line of a result
  whole: (count: number) => ({
    en: `Signed by ${people(count).en}; the text is unchanged; sealed by this server’s key`,
    fr: `Signé par ${people(count).fr}; le texte est inchangé; scellé par la clé de ce serveur`,
  }),
  wholeEvidence: (count: number) => ({
    en: `Signed by ${people(count).en}; the evidence is unchanged; signed by this server’s key`,
    fr: `Signé par ${people(count).fr}; la preuve est inchangée; signée par la clé de ce serveur`,
  }),
  titles: {
    en: {
      other: 'This is not a signed document from Paraph',
      seal: 'This PDF is not as it was sealed',
      certificate: 'This server did not seal this PDF',
      attachments: 'The attachments of this PDF were changed',
      signature: 'The evidence was changed, or this server did not sign it',
      key: 'This server did not sign this evidence',
      chain: 'The evidence has a gap or a changed entry',
      signatures: 'The evidence does not show that everyone signed',
      text: 'The text is not the one that was signed',
      names: 'The names are not those that were signed',
      environment: 'The contract and its key do not fit together',
      day: 'The key was no longer good on that day',
    },
    fr: {
      other: 'Ce n’est pas un document signé de Paraph',
      seal: 'Ce PDF n’est pas tel qu’il a été scellé',
      certificate: 'Ce serveur n’a pas scellé ce PDF',
      attachments: 'Les pièces jointes de ce PDF ont été modifiées',
      signature: 'La preuve a été modifiée, ou ce serveur ne l’a pas signée',
      key: 'Ce serveur n’a pas signé cette preuve',
      chain: 'La preuve a une lacune ou une entrée modifiée',
      signatures: 'La preuve ne montre pas que tout le monde a signé',
      text: 'Le texte n’est pas celui qui a été signé',
      names: 'Les noms ne sont pas ceux qui ont été signés',
      environment: 'Le contrat et sa clé ne vont pas ensemble',
      day: 'La clé n’était plus valable ce jour-là',
    },
  },
  wholeLead: { en: 'Every check below is in order.', fr: 'Chaque vérification ci-dessous est en ordre.' },
  otherLead: {
    en: 'It is neither a PDF with evidence from Paraph nor a file evidence.jws. A signed PDF that was printed or saved again by another program has lost its evidence: choose the file that you received by email.',
    fr: 'Ce n’est ni un PDF avec une preuve de Paraph ni un fichier evidence.jws. Un PDF signé qui a été imprimé ou enregistré de nouveau par un autre logiciel a perdu sa preuve\u00A0: choisissez le fichier que vous avez reçu par courriel.',
  },
  foreignLead: {
    en: 'Anyone can make such a file with a key of their own. If it comes from another server that you trust, check it on the page of that server.',
    fr: 'N’importe qui peut faire un tel fichier avec sa propre clé. S’il vient d’un autre serveur auquel vous faites confiance, vérifiez-le sur la page de ce serveur.',
  },
  brokenLead: {
    en: 'Do not rely on this file. Ask the sender or another party for their copy, and check that one.',
    fr: 'Ne vous fiez pas à ce fichier. Demandez sa copie à l’expéditeur ou à une autre partie, et vérifiez-la.',
  },

  // What was checked
  checked: { en: 'What we checked', fr: 'Ce que nous avons vérifié' },
  holds: { en: 'In order', fr: 'En ordre' },
  isBroken: { en: 'Not in order', fr: 'Pas en ordre' },
  labels: {
    en: {
      seal: 'The file',
      certificate: 'Who sealed it',
      attachments: 'Attachments',
      signature: 'Evidence',
      key: 'Who signed the evidence',
      chain: 'Entries of the evidence',
      signatures: 'Signatures',
      text: 'Text',
      names: 'Names',
      environment: 'Kind of contract',
      day: 'Day',
    },
    fr: {
      seal: 'Le fichier',
      certificate: 'Qui l’a scellé',
      attachments: 'Pièces jointes',
      signature: 'Preuve',
      key: 'Qui a signé la preuve',
      chain: 'Entrées de la preuve',
      signatures: 'Signatures',
      text: 'Texte',
      names: 'Noms',
      environment: 'Nature du contrat',
      day: 'Jour',
    },
  },
  inOrder: {
    en: {
      seal: 'Not one byte has changed since it was sealed.',
      certificate: 'The seal was made with a certificate of this server.',
      attachments: 'The PDF has its four attachments and no others.',
      signature: 'It is unchanged since it was signed.',
      key: 'The key is one of this server.',
      chain: 'Each follows the one before it. None was left out, moved or added.',
      signatures: 'Every party signed this text, after a one-time code sent to its email address.',
      text: 'It is the one that the evidence describes.',
      names: 'The roles and names are those in the evidence.',
      environment: 'A real contract, not a test.',
      day: 'Key and certificate were good on the last day of the evidence.',
    },
    fr: {
      seal: 'Pas un octet n’a changé depuis qu’il a été scellé.',
      certificate: 'Le sceau a été fait avec un certificat de ce serveur.',
      attachments: 'Le PDF a ses quatre pièces jointes et aucune autre.',
      signature: 'Elle est inchangée depuis qu’elle a été signée.',
      key: 'La clé est une clé de ce serveur.',
      chain: 'Chacune suit la précédente. Aucune n’a été omise, déplacée ou ajoutée.',
      signatures: 'Chaque partie a signé ce texte, après un code à usage unique envoyé à son adresse courriel.',
      text: 'C’est celui que la preuve décrit.',
      names: 'Les rôles et les noms sont ceux de la preuve.',
      environment: 'Un vrai contrat, pas un essai.',
      day: 'La clé et le certificat étaient valables le dernier jour de la preuve.',
    },
  },
  sandbox: { en: 'A test contract, which is not binding.', fr: 'Un contrat d’essai, sans valeur juridique.' },
  outOfOrder: {
    en: {
      seal: 'It has no seal, or it was changed after it was sealed.',
      certificate: 'The seal was not made with a certificate of this server.',
      attachments: 'One of the four attachments is missing, or somebody added another.',
      signature: 'It was changed after it was signed, or a key that we do not know signed it.',
      key: 'The key is not one of this server.',
      chain: 'They do not follow one another: one was left out, moved, added or changed.',
      signatures: 'One is missing, or a step before it is: the code, the text, the consent.',
      text: 'It differs from the one that the evidence describes.',
      names: 'A role or name was changed, is missing or appears twice.',
      environment: 'One is of a test and the other is not.',
      day: 'The key or certificate had been retired, or somebody else had it.',
    },
    fr: {
      seal: 'Il n’a pas de sceau, ou il a été modifié après avoir été scellé.',
      certificate: 'Le sceau n’a pas été fait avec un certificat de ce serveur.',
      attachments: 'Une des quatre pièces jointes manque, ou quelqu’un en a ajouté une.',
      signature: 'Elle a été modifiée après avoir été signée, ou signée par une clé que nous ne connaissons pas.',
      key: 'La clé n’est pas une clé de ce serveur.',
      chain: 'Elles ne se suivent pas\u00A0: une entrée a été omise, déplacée, ajoutée ou modifiée.',
      signatures: 'Il en manque une, ou une étape avant elle\u00A0: le code, le texte, le consentement.',
      text: 'Il diffère de celui que la preuve décrit.',
      names: 'Un rôle ou un nom a été modifié, manque ou figure deux fois.',
      environment: 'L’un est un essai et l’autre non.',
      day: 'La clé ou le certificat avait été retiré, ou quelqu’un d’autre l’avait.',
    },
  },

  // What was not checked
  notChecked: { en: 'What we did not check', fr: 'Ce que nous n’avons pas vérifié' },
  stopped: {
    en: 'What comes after the first fault in the evidence: it would prove nothing.',
    fr: 'Ce qui suit le premier défaut de la preuve\u00A0: cela ne prouverait rien.',
  },
  compromised: {
    en: 'Whether the evidence is as old as it says. Somebody else has had this key or certificate since, and can backdate evidence. Compare it with an older copy.',
    fr: 'Si la preuve est aussi ancienne qu’elle le dit. Quelqu’un d’autre a eu depuis cette clé ou ce certificat et peut antidater une preuve. Comparez-la avec une copie plus ancienne.',
  },
  textAndNames: {
    en: 'The text and the names. This file contains neither; choose the signed PDF to check them.',
    fr: 'Le texte et les noms. Ce fichier ne les contient pas; choisissez le PDF signé pour les vérifier.',
  },
  never: {
    en: [
      'Who the people are. A code went to each email address, and an address is not an identity document.',
      'Whether they had the authority to sign, and whether the contract is fair or valid.',
      'Whether the times are right. They come from the clock of the server; no independent time stamp confirms them.',
    ],
    fr: [
      'Qui sont ces personnes. Un code a été envoyé à chaque adresse courriel, et une adresse n’est pas une pièce d’identité.',
      'Si elles avaient le pouvoir de signer, et si le contrat est équitable ou valable.',
      'Si les heures sont exactes. Elles viennent de l’horloge du serveur; aucun horodatage indépendant ne les confirme.',
    ],
  },
  another: { en: 'Check another document', fr: 'Vérifier un autre document' },
})
