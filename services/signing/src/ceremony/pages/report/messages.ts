// Messages of "Report this request", in English and Canadian French.
import { createDictionary } from '@paraph/web/dictionary'

export const reportMessages = createDictionary({
  title: { en: 'Report this request', fr: 'Signaler cette demande' },
  lead: {
    en: 'Tell the operator of this website what is wrong. We do not tell the sender, and nothing is signed.',
    fr: 'Dites à l’exploitant de ce site ce qui ne va pas. Nous n’en informons pas l’expéditeur, et rien n’est signé.',
  },
  reasonLegend: { en: 'What is wrong?', fr: 'Qu’est-ce qui ne va pas?' },
  reasonMissing: { en: 'Choose what is wrong', fr: 'Choisissez ce qui ne va pas' },
  unknownSender: { en: 'I do not know the sender', fr: 'Je ne connais pas l’expéditeur' },
  impersonation: {
    en: 'It pretends to come from somebody else',
    fr: 'L’expéditeur se fait passer pour quelqu’un d’autre',
  },
  asksForMoney: { en: 'It asks for money or passwords', fr: 'On demande de l’argent ou des mots de passe' },
  other: { en: 'Something else', fr: 'Autre chose' },
  messageLabel: { en: 'Tell us more (optional)', fr: 'Dites-nous en plus (facultatif)' },
  messageHint: {
    en: 'Leave your address if you want an answer. Do not write the code from an e-mail.',
    fr: 'Laissez votre adresse si vous voulez une réponse. N’écrivez pas le code reçu par courriel.',
  },
  messageTooLong: { en: 'Write at most 2,000 characters', fr: 'Écrivez au plus 2 000 caractères' },
  send: { en: 'Send the report', fr: 'Envoyer le signalement' },
  tooMany: {
    en: 'Your report was not sent. Too many reports came today from your network or about this contract. Try again tomorrow.',
    fr: 'Votre signalement n’a pas été envoyé. Il y en a eu trop aujourd’hui depuis votre réseau ou pour ce contrat. Réessayez demain.',
  },
  after: {
    en: 'If you do not want to sign, you do not have to do anything. Nothing is signed for you.',
    fr: 'Si vous ne voulez pas signer, vous n’avez rien à faire. Rien n’est signé à votre place.',
  },
  afterWithAddress: (address: string) => ({
    en: `You can also write to ${address}. If you do not want to sign, you do not have to do anything.`,
    fr: `Vous pouvez aussi écrire à ${address}. Si vous ne voulez pas signer, vous n’avez rien à faire.`,
  }),
  sentTitle: { en: 'Your report was sent', fr: 'Votre signalement a été envoyé' },
  sentLead: {
    en: 'The operator of this website can read it now. We do not tell the sender.',
    fr: 'L’exploitant de ce site peut maintenant le lire. Nous n’en informons pas l’expéditeur.',
  },
  sentDetail: {
    en: 'Nothing was signed. You do not have to do anything else.',
    fr: 'Rien n’a été signé. Vous n’avez rien d’autre à faire.',
  },
  back: { en: 'Go back to the contract', fr: 'Revenir au contrat' },
})
