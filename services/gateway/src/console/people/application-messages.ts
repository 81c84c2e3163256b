// Messages of the application and of the choice of a plan in English and Canadian French.
import { createDictionary, type Translated } from '@paraph/web/dictionary'
import type { Volume } from '../../accounts/application.js'

export const applicationMessages = createDictionary({
  title: { en: 'Apply for access', fr: 'Demander l’accès' },
  lead: {
    en: 'A person reads every application, because Paraph sends email in your name. It usually takes one working day.',
    fr: 'Une personne lit chaque demande, car Paraph envoie des courriels en votre nom. Cela prend en général un jour ouvrable.',
  },
  company: { en: '1. Your company', fr: '1. Votre entreprise' },
  legalName: { en: 'Legal name', fr: 'Dénomination sociale' },
  legalNameHint: { en: 'Parties see this name in every email.', fr: 'Les parties voient ce nom dans chaque courriel.' },
  website: { en: 'Website', fr: 'Site Web' },
  use: { en: '2. Your contracts', fr: '2. Vos contrats' },
  purpose: {
    en: 'Describe the contracts and how people are asked to sign',
    fr: 'Décrivez les contrats et comment on demande aux gens de les signer',
  },
  purposeHint: { en: 'Two or three sentences are enough.', fr: 'Deux ou trois phrases suffisent.' },
  types: { en: 'Contract types', fr: 'Types de contrats' },
  typesHint: { en: 'Choose all that apply.', fr: 'Choisissez tous ceux qui conviennent.' },
  somethingElse: { en: 'Something else', fr: 'Autre chose' },
  otherParties: { en: 'Who are the other parties?', fr: 'Qui sont les autres parties?' },
  volume: { en: 'Contracts a month', fr: 'Contrats par mois' },
  volumeHint: { en: 'Your best guess.', fr: 'Votre meilleure estimation.' },
  choose: { en: 'Choose', fr: 'Choisir' },
  terms: {
    en: 'I may act for this company, and I accept the operator’s terms of use.',
    fr: 'Je peux agir pour cette entreprise et j’accepte les conditions d’utilisation de l’exploitant.',
  },
  send: { en: 'Send the application', fr: 'Envoyer la demande' },
  save: { en: 'Save the changes', fr: 'Enregistrer les modifications' },

  companyMissing: {
    en: 'Enter the legal name of your company',
    fr: 'Saisissez la dénomination sociale de votre entreprise',
  },
  companyLong: {
    en: 'The legal name must be 100 characters or fewer',
    fr: 'La dénomination sociale doit compter au plus 100 caractères',
  },
  companyWrong: {
    en: 'Enter a plain name, without addresses, hidden characters or the name “Paraph”',
    fr: 'Saisissez un simple nom, sans adresse, sans caractère caché et sans le nom «\u00A0Paraph\u00A0»',
  },
  websiteMissing: { en: 'Enter the address of your website', fr: 'Saisissez l’adresse de votre site Web' },
  websiteWrong: { en: 'Enter an address like example.com', fr: 'Saisissez une adresse comme exemple.com' },
  purposeMissing: {
    en: 'Describe the contracts and how people are asked to sign',
    fr: 'Décrivez les contrats et comment on demande aux gens de les signer',
  },
  purposeLong: {
    en: 'The description must be 2,000 characters or fewer',
    fr: 'La description doit compter au plus 2\u00A0000 caractères',
  },
  typesMissing: { en: 'Choose at least one contract type', fr: 'Choisissez au moins un type de contrat' },
  otherPartiesMissing: { en: 'Say who the other parties are', fr: 'Dites qui sont les autres parties' },
  otherPartiesLong: {
    en: 'Say who the other parties are in 200 characters or fewer',
    fr: 'Dites qui sont les autres parties en au plus 200 caractères',
  },
  otherPartiesWrong: {
    en: 'Say who the other parties are in one line of plain text',
    fr: 'Dites qui sont les autres parties en une ligne de texte simple',
  },
  volumeMissing: { en: 'Choose how many contracts a month', fr: 'Choisissez le nombre de contrats par mois' },
  termsMissing: {
    en: 'Confirm that you may act for this company and accept the terms',
    fr: 'Confirmez que vous pouvez agir pour cette entreprise et que vous acceptez les conditions',
  },

  pendingTitle: { en: 'We have your application', fr: 'Nous avons votre demande' },
  pendingLead: (at: string, mailbox: string) => ({
    en: `Sent on ${at}. We usually reply within one working day, by email to ${mailbox}.`,
    fr: `Envoyée le ${at}. Nous répondons en général en un jour ouvrable, par courriel à ${mailbox}.`,
  }),
  told: { en: 'What you told us', fr: 'Ce que vous nous avez dit' },
  companyLabel: { en: 'Company', fr: 'Entreprise' },
  change: { en: 'Change the application', fr: 'Modifier la demande' },
  withdraw: { en: 'Withdraw it', fr: 'La retirer' },
  whileTitle: { en: 'While you wait', fr: 'En attendant' },
  whileText: {
    en: 'Anyone can read the API reference, and you can run the whole platform on your own computer with one command. You don’t need an account for either.',
    fr: 'Tout le monde peut lire la référence de l’API, et vous pouvez faire fonctionner toute la plateforme sur votre ordinateur avec une seule commande. Aucun compte n’est nécessaire.',
  },
  readReference: { en: 'Read the API reference', fr: 'Lire la référence de l’API' },

  refusedTitle: { en: 'Your application was not approved', fr: 'Votre demande n’a pas été approuvée' },
  refusedLead: (at: string) => ({
    en: `Decided on ${at}. You can change your application and apply again.`,
    fr: `Décidé le ${at}. Vous pouvez modifier votre demande et la présenter de nouveau.`,
  }),
  reason: { en: 'The reason', fr: 'La raison' },
  again: { en: 'Apply again', fr: 'Présenter une nouvelle demande' },

  withdrawTitle: { en: 'Withdraw the application?', fr: 'Retirer la demande?' },
  withdrawLead: {
    en: 'We will not read it. You can apply again at any time.',
    fr: 'Nous ne la lirons pas. Vous pourrez présenter une nouvelle demande à tout moment.',
  },
  withdrawNow: { en: 'Withdraw the application', fr: 'Retirer la demande' },
  keep: { en: 'Keep it', fr: 'La garder' },

  approved: (name: string) => ({ en: `${name} is approved`, fr: `${name} est approuvé` }),
  planTitle: { en: 'Choose a plan', fr: 'Choisir un forfait' },
  planLead: {
    en: 'Every plan includes every feature. Only the number of calls differs. Change or stop at any time.',
    fr: 'Tous les forfaits comprennent toutes les fonctions. Seul le nombre d’appels diffère. Changez ou arrêtez à tout moment.',
  },
  startupFor: { en: 'For a first product, or one team.', fr: 'Pour un premier produit, ou une équipe.' },
  growthFor: { en: 'For contracts every working hour.', fr: 'Pour des contrats à toute heure ouvrable.' },
  enterpriseFor: { en: 'For a platform with its own customers.', fr: 'Pour une plateforme qui a ses propres clients.' },
  price: (amount: string) => ({ en: `${amount} CAD`, fr: `${amount}\u00A0CA` }),
  perMonth: { en: 'a month, plus tax', fr: 'par mois, taxes en sus' },
  calls: { en: 'Calls a month', fr: 'Appels par mois' },
  rate: { en: 'Requests a minute', fr: 'Requêtes par minute' },
  sandbox: { en: 'Sandbox', fr: 'Bac à sable' },
  sandboxCalls: (calls: string) => ({ en: `${calls} calls a month`, fr: `${calls} appels par mois` }),
  fits: (contracts: string) => ({
    en: `Enough for the ${contracts} contracts a month you told us about, each read 4\u00A0times.`,
    fr: `Suffit pour les ${contracts} contrats par mois dont vous nous avez parlé, lus 4\u00A0fois chacun.`,
  }),
  choosePlan: (plan: string) => ({ en: `Choose ${plan}`, fr: `Choisir ${plan}` }),
  current: { en: 'Your plan', fr: 'Votre forfait' },
  onTrial: { en: 'Your plan, on trial', fr: 'Votre forfait, à l’essai' },
  chosen: { en: 'Chosen, waiting for the operator', fr: 'Choisi, en attente de l’exploitant' },
  until: (at: string) => ({ en: `Until ${at}`, fr: `Jusqu’au ${at}` }),
  whatCounts: { en: 'What counts as a call', fr: 'Ce qui compte comme un appel' },
  whatCountsText: {
    en: 'Creating a contract is 1 call. Reading one is 1 call. Checking your usage or the status is free, and so are refused and failed calls. Parties read and sign without using your calls.',
    fr: 'Créer un contrat compte pour 1 appel. En lire un compte pour 1 appel. Consulter votre utilisation ou l’état du service est gratuit, de même que les appels refusés ou échoués. Les parties lisent et signent sans utiliser vos appels.',
  },
  atTheLimit: { en: 'What happens at the limit', fr: 'Ce qui se passe à la limite' },
  atTheLimitText: {
    en: 'We keep serving you and show the extra calls as overage. Overage pricing is set in the operator’s terms. If you’d rather stop, turn on “Stop at quota”.',
    fr: 'Nous continuons à vous servir et affichons les appels de trop comme dépassement. Leur prix est fixé dans les conditions de l’exploitant. Si vous préférez arrêter, activez «\u00A0Arrêter au quota\u00A0».',
  },
  howPaid: { en: 'How you pay', fr: 'Comment payer' },
  howPaidText: {
    en: 'The operator of this installation sends you an invoice and activates your plan once agreed. You pay nothing on this page.',
    fr: 'L’exploitant de cette installation vous envoie une facture et active votre forfait une fois l’entente conclue. Vous ne payez rien sur cette page.',
  },
})

export const volumeMessages = createDictionary<Record<Volume, Translated>>({
  '1-50': { en: '1 to 50', fr: '1 à 50' },
  '50-200': { en: '50 to 200', fr: '50 à 200' },
  '200-1000': { en: '200 to 1,000', fr: '200 à 1\u00A0000' },
  '1000-5000': { en: '1,000 to 5,000', fr: '1\u00A0000 à 5\u00A0000' },
  more: { en: 'More than 5,000', fr: 'Plus de 5\u00A0000' },
})
