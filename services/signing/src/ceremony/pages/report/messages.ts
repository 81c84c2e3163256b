// Messages of "Report this request", in English and Canadian French.
import { createDictionary } from '@paraph/web/dictionary'

export const reportMessages = createDictionary({
  title: { en: 'Report this request', fr: 'Signaler cette demande' },
  lead: {
    en: 'Tell the operator of this site what is wrong. The sender is not told, and nothing is signed.',
    fr: 'Dites à l’exploitant de ce site ce qui ne va pas. L’expéditeur n’en est pas informé, et rien n’est signé.',
  },
  reasonLegend: { en: 'What is wrong?', fr: 'Qu’est-ce qui ne va pas?' },
  reasonMissing: { en: 'Choose what is wrong', fr: 'Choisissez ce qui ne va pas' },
  unknownSender: { en: 'I do not know the sender', fr: 'Je ne connais pas l’expéditeur' },
  impersonation: {
    en: 'The sender pretends to be someone else',
    fr: 'L’expéditeur se fait passer pour quelqu’un d’autre',
  },
  asksForMoney: { en: 'It asks for money or passwords', fr: 'On demande de l’argent ou des mots de passe' },
  other: { en: 'Something else', fr: 'Autre chose' },
  messageLabel: { en: 'Tell us more (optional)', fr: 'Dites-nous en plus (facultatif)' },
  messageHint: {
    en: 'If you want a reply, leave your address. Do not write the code from an email.',
    fr: 'Si vous voulez une réponse, laissez votre adresse. N’écrivez pas le code reçu par courriel.',
  },
  messageTooLong: { en: 'Write at most 2,000 characters', fr: 'Écrivez au plus 2\u00A0000 caractères' },
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
    en: 'The operator of this site has your report. The sender is not told.',
    fr: 'L’exploitant de ce site a votre signalement. L’expéditeur n’en est pas informé.',
  },
  sentDetail: {
    en: 'Nothing was signed. You do not have to do anything else.',
    fr: 'Rien n’a été signé. Vous n’avez rien d’autre à faire.',
  },
  back: { en: 'Go back to the contract', fr: 'Revenir au contrat' },
})
