// Messages of the application and of the choice of a plan in English and Canadian French.
import { createDictionary, type Translated } from '@paraph/web/dictionary'
import type { Volume } from '../../accounts/application.js'

export const applicationMessages = createDictionary({
  title: { en: 'Apply for access', fr: 'Demander l’accès' },
  lead: {
    en: 'A person reads every application, because Paraph sends mail in your name. It usually takes one working day.',
    fr: 'Une personne lit chaque demande, car Paraph envoie du courriel en votre nom. Cela prend en général un jour ouvrable.',
  },
  company: { en: 'Your company', fr: 'Votre entreprise' },
  legalName: { en: 'Legal name', fr: 'Dénomination sociale' },
  legalNameHint: {
    en: 'Parties see this name in every e-mail.',
    fr: 'Les parties voient ce nom dans chaque courriel.',
  },
  website: { en: 'Website', fr: 'Site Web' },
  use: { en: 'What you will use it for', fr: 'Ce à quoi cela vous servira' },
  purpose: {
    en: 'Describe the contracts and how people come to sign them',
    fr: 'Décrivez les contrats et comment on vient à les signer',
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
    fr: 'Entrez la dénomination sociale de votre entreprise',
  },
  companyLong: {
    en: 'The legal name must have at most 100 characters',
    fr: 'La dénomination sociale doit compter au plus 100 caractères',
  },
  companyWrong: {
    en: 'The legal name must be a plain name: no address, no hidden characters, not “Paraph”',
    fr: 'La dénomination sociale doit être un simple nom\u00A0: pas d’adresse, pas de caractères cachés, pas «\u00A0Paraph\u00A0»',
  },
  websiteMissing: { en: 'Enter the address of your website', fr: 'Entrez l’adresse de votre site Web' },
  websiteWrong: { en: 'Enter an address like example.com', fr: 'Entrez une adresse comme exemple.com' },
  purposeMissing: { en: 'Describe what you will use it for', fr: 'Décrivez ce à quoi cela vous servira' },
  purposeLong: {
    en: 'The description must have at most 2,000 characters',
    fr: 'La description doit compter au plus 2\u00A0000 caractères',
  },
  typesMissing: { en: 'Choose at least one contract type', fr: 'Choisissez au moins un type de contrat' },
  otherPartiesMissing: { en: 'Say who the other parties are', fr: 'Dites qui sont les autres parties' },
  otherPartiesLong: {
    en: 'Say who the other parties are in at most 200 characters',
    fr: 'Dites qui sont les autres parties en au plus 200 caractères',
  },
  otherPartiesWrong: {
    en: 'The other parties must be one line of plain text',
    fr: 'Les autres parties doivent tenir en une ligne de texte simple',
  },
  volumeMissing: { en: 'Choose how many contracts a month', fr: 'Choisissez le nombre de contrats par mois' },
  termsMissing: {
    en: 'Tick the box: without it we may not read the application',
    fr: 'Cochez la case\u00A0: sans cela, nous ne pouvons pas lire la demande',
  },

  pendingTitle: { en: 'We have your application', fr: 'Nous avons votre demande' },
  pendingLead: (at: string, mailbox: string) => ({
    en: `Sent on ${at}. We usually answer within one working day, by e-mail to ${mailbox}.`,
    fr: `Envoyée le ${at}. Nous répondons en général en un jour ouvrable, par courriel à ${mailbox}.`,
  }),
  told: { en: 'What you told us', fr: 'Ce que vous nous avez dit' },
  companyLabel: { en: 'Company', fr: 'Entreprise' },
  change: { en: 'Change the application', fr: 'Modifier la demande' },
  withdraw: { en: 'Withdraw it', fr: 'La retirer' },
  whileTitle: { en: 'While you wait', fr: 'En attendant' },
  whileText: {
    en: 'The API reference is open to everybody, and the whole platform runs on your own computer with one command. Neither needs an account.',
    fr: 'La référence de l’API est ouverte à tous, et toute la plateforme fonctionne sur votre ordinateur avec une seule commande. Ni l’une ni l’autre n’exige de compte.',
  },
  readReference: { en: 'Read the API reference', fr: 'Lire la référence de l’API' },

  refusedTitle: { en: 'Your application was not approved', fr: 'Votre demande n’a pas été approuvée' },
  refusedLead: (at: string) => ({
    en: `Decided on ${at}. You may change what you told us and apply again.`,
    fr: `Décidé le ${at}. Vous pouvez modifier vos réponses et présenter une nouvelle demande.`,
  }),
  reason: { en: 'The reason', fr: 'La raison' },
  again: { en: 'Apply again', fr: 'Présenter une nouvelle demande' },

  withdrawTitle: { en: 'Withdraw the application?', fr: 'Retirer la demande?' },
  withdrawLead: {
    en: 'Nobody will read it then. You can apply again at any time.',
    fr: 'Personne ne la lira. Vous pourrez présenter une nouvelle demande à tout moment.',
  },
  withdrawNow: { en: 'Withdraw the application', fr: 'Retirer la demande' },
  keep: { en: 'Keep it', fr: 'La garder' },

  approved: (name: string) => ({ en: `${name} is approved`, fr: `${name} est approuvé` }),
  planTitle: { en: 'Choose a plan', fr: 'Choisir un forfait' },
  planLead: {
    en: 'Every plan has every feature. Only the number of calls differs. Change or stop at any time.',
    fr: 'Chaque forfait a toutes les fonctions. Seul le nombre d’appels diffère. Changez ou arrêtez à tout moment.',
  },
  startupFor: { en: 'For a first product, or one team.', fr: 'Pour un premier produit, ou une équipe.' },
  growthFor: { en: 'For contracts every working hour.', fr: 'Pour des contrats à toute heure ouvrable.' },
  enterpriseFor: { en: 'For a platform with its own customers.', fr: 'Pour une plateforme qui a ses propres clients.' },
  perMonth: { en: 'CAD a month, plus tax', fr: 'CAD par mois, taxes en sus' },
  calls: { en: 'Calls a month', fr: 'Appels par mois' },
  rate: { en: 'Requests a minute', fr: 'Requêtes par minute' },
  sandbox: { en: 'Sandbox', fr: 'Bac à sable' },
  sandboxCalls: (calls: string) => ({ en: `${calls} calls a month`, fr: `${calls} appels par mois` }),
  fits: (contracts: string) => ({
    en: `Enough for the ${contracts} contracts a month you told us about, read 4\u00A0times each.`,
    fr: `Suffit pour les ${contracts} contrats par mois dont vous nous avez parlé, lus 4\u00A0fois chacun.`,
  }),
  choosePlan: (plan: string) => ({ en: `Choose ${plan}`, fr: `Choisir ${plan}` }),
  current: { en: 'Your plan', fr: 'Votre forfait' },
  onTrial: { en: 'Your plan, on trial', fr: 'Votre forfait, à l’essai' },
  chosen: { en: 'Chosen, waiting for the operator', fr: 'Choisi, en attente de l’exploitant' },
  until: (at: string) => ({ en: `Until ${at}`, fr: `Jusqu’au ${at}` }),
  whatCounts: { en: 'What counts as a call', fr: 'Ce qui compte comme un appel' },
  whatCountsText: {
    en: 'Creating a contract is 1 call, and so is reading one. Checking your usage or the status is free. Refused and failed calls are free. Parties read and sign without using your calls.',
    fr: 'Créer un contrat compte pour 1 appel, en lire un aussi. Consulter votre usage ou l’état est gratuit. Les appels refusés ou échoués sont gratuits. Les parties lisent et signent sans utiliser vos appels.',
  },
  atTheLimit: { en: 'What happens at the limit', fr: 'Ce qui se passe à la limite' },
  atTheLimitText: {
    en: 'We keep serving you and show the extra calls as overage; what they cost is for the operator’s terms to say. If you would rather stop, switch on “Stop at quota”.',
    fr: 'Nous continuons à vous servir et montrons les appels en sus; leur prix relève des conditions de l’exploitant. Si vous préférez arrêter, activez «\u00A0Arrêter au quota\u00A0».',
  },
  howPaid: { en: 'How it is paid', fr: 'Comment on paie' },
  howPaidText: {
    en: 'The operator of this installation writes you an invoice and opens the plan when it is agreed. Nothing is charged here.',
    fr: 'L’exploitant de cette installation vous envoie une facture et ouvre le forfait une fois convenu. Rien n’est débité ici.',
  },
})

export const volumeMessages = createDictionary<Record<Volume, Translated>>({
  '1-50': { en: '1 to 50', fr: '1 à 50' },
  '50-200': { en: '50 to 200', fr: '50 à 200' },
  '200-1000': { en: '200 to 1,000', fr: '200 à 1\u00A0000' },
  '1000-5000': { en: '1,000 to 5,000', fr: '1\u00A0000 à 5\u00A0000' },
  more: { en: 'More than 5,000', fr: 'Plus de 5\u00A0000' },
})
