// Messages of declining, in English and Canadian French.
import { createDictionary } from '@paraph/web/dictionary'

export const declineMessages = createDictionary({
  title: { en: 'Decline to sign', fr: 'Refuser de signer' },
  lead: (sender: string) => ({
    en: `${sender} then sees that you decline, and why. Nothing is signed for you.`,
    fr: `${sender} voit alors que vous refusez, et pourquoi. Rien n’est signé à votre place.`,
  }),
  decliningAs: (name: string) => ({ en: `You decline as ${name}.`, fr: `Vous refusez en tant que ${name}.` }),
  reasonLegend: { en: 'Why do you decline?', fr: 'Pourquoi refusez-vous?' },
  reasonMissing: { en: 'Choose why you decline', fr: 'Choisissez pourquoi vous refusez' },
  disagree: { en: 'I do not agree with the contract', fr: 'Je ne suis pas d’accord avec le contrat' },
  wrong_person: { en: 'I am not the right person', fr: 'Je ne suis pas la bonne personne' },
  other: { en: 'Something else', fr: 'Autre chose' },
  noteLabel: { en: 'Tell the sender more (optional)', fr: 'Dites-en plus à l’expéditeur (facultatif)' },
  noteHint: {
    en: 'For example what should change, or whom to ask instead. Up to 500 characters.',
    fr: 'Par exemple ce qui devrait changer, ou à qui s’adresser. Au plus 500 caractères.',
  },
  noteTooLong: { en: 'Write at most 500 characters', fr: 'Écrivez au plus 500 caractères' },
  send: { en: 'Decline to sign', fr: 'Refuser de signer' },
  back: { en: 'Go back to the contract', fr: 'Revenir au contrat' },
  after: {
    en: 'You can change your mind and sign until the contract ends.',
    fr: 'Vous pouvez changer d’avis et signer jusqu’à la fin du contrat.',
  },
  afterCancels: {
    en: 'The contract is then cancelled for every party. Nobody can undo this.',
    fr: 'Le contrat est alors annulé pour toutes les parties. Personne ne peut revenir là-dessus.',
  },
  doneTitle: { en: 'You have declined', fr: 'Vous avez refusé' },
  doneLead: (sender: string) => ({
    en: `${sender} sees that you declined, and why. Nothing was signed.`,
    fr: `${sender} voit que vous avez refusé, et pourquoi. Rien n’a été signé.`,
  }),
  declinedOn: (at: string) => ({
    en: `You declined on ${at}. You can still sign until the contract ends.`,
    fr: `Vous avez refusé le ${at}. Vous pouvez encore signer jusqu’à la fin du contrat.`,
  }),
  signAfterAll: { en: 'Read and sign after all', fr: 'Lire et signer quand même' },
})
