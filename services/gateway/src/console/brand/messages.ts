// Messages of the brand's pages, the owner's and the operator's, in English and Canadian French. [D59]
import { createDictionary } from '@paraph/web/dictionary'

export const brandMessages = createDictionary({
  title: { en: 'Brand', fr: 'Image de marque' },
  lead: {
    en: 'Your logo and colour on signing pages, emails and the certificate, in place of ours. The operator looks at them beside the name of your account first.',
    fr: 'Votre logo et votre couleur sur les pages de signature, dans les courriels et sur le certificat, à la place des nôtres. L’exploitant les examine d’abord à côté du nom de votre compte.',
  },
  see: { en: 'See the brand', fr: 'Voir l’image de marque' },
  none: { en: 'None', fr: 'Aucune' },
  shown: { en: 'Shown now', fr: 'Affichée actuellement' },
  asked: { en: 'Waits for the operator', fr: 'En attente de l’exploitant' },
  askedSince: (at: string) => ({ en: `Sent on ${at}.`, fr: `Envoyée le ${at}.` }),
  refused: { en: 'Not shown', fr: 'Non affichée' },
  refusedFor: {
    en: 'The operator refused it, for this reason:',
    fr: 'L’exploitant l’a refusée pour la raison suivante\u00A0:',
  },
  change: { en: 'Choose a brand', fr: 'Choisir une image de marque' },
  notYet: {
    en: 'You can choose a brand once the operator has approved the name of your account.',
    fr: 'Vous pourrez choisir une image de marque quand l’exploitant aura approuvé le nom de votre compte.',
  },
  accent: { en: 'Colour', fr: 'Couleur' },
  accentHint: {
    en: 'Like #1A5FB4. For links, buttons and lines. Leave it empty to keep our blue.',
    fr: 'Par exemple #1A5FB4. Pour les liens, les boutons et les traits. Laissez vide pour garder notre bleu.',
  },
  accentWrong: {
    en: 'Enter a colour as # and six digits or letters from A to F, like #1A5FB4',
    fr: 'Entrez une couleur avec # et six chiffres ou lettres de A à F, comme #1A5FB4',
  },
  accentPale: (nearest: string) => ({
    en: `This colour is too pale to read on our pages. The nearest that holds is ${nearest}`,
    fr: `Cette couleur est trop pâle pour être lue sur nos pages. La plus proche qui convienne est ${nearest}`,
  }),
  logo: { en: 'Logo', fr: 'Logo' },
  logoHint: {
    en: 'A PNG or JPEG of at most 100 KB and 1,200 pixels, for a white ground.',
    fr: 'Un PNG ou un JPEG d’au plus 100\u00A0ko et 1\u00A0200 pixels, pour un fond blanc.',
  },
  logoKept: {
    en: 'A PNG or JPEG of at most 100 KB and 1,200 pixels, for a white ground. Choose none to keep the logo above.',
    fr: 'Un PNG ou un JPEG d’au plus 100\u00A0ko et 1\u00A0200 pixels, pour un fond blanc. N’en choisissez aucun pour garder le logo ci-dessus.',
  },
  noLogo: { en: 'Use no logo', fr: 'N’utiliser aucun logo' },
  nothing: { en: 'Choose a colour, a logo, or both', fr: 'Choisissez une couleur, un logo ou les deux' },
  send: { en: 'Send to the operator', fr: 'Envoyer à l’exploitant' },
  remove: { en: 'Remove the brand', fr: 'Supprimer l’image de marque' },
  light: { en: 'In light mode', fr: 'En mode clair' },
  dark: { en: 'In dark mode', fr: 'En mode sombre' },
  sample: { en: 'Read and sign', fr: 'Lire et signer' },

  waiting: { en: 'Brands that wait', fr: 'Images de marque en attente' },
  account: { en: 'Account', fr: 'Compte' },
  sent: { en: 'Sent', fr: 'Envoyée' },
  decideLead: {
    en: 'People will take these for the mark of the account. Approve only what belongs to the company of that name, and looks like no other company.',
    fr: 'Les gens y verront la marque du compte. N’approuvez que ce qui appartient à l’entreprise de ce nom et ne ressemble à aucune autre entreprise.',
  },
  approve: { en: 'Approve', fr: 'Approuver' },
  refuse: { en: 'Refuse', fr: 'Refuser' },
  withdraw: { en: 'Show it no longer', fr: 'Ne plus l’afficher' },
  reason: { en: 'Reason', fr: 'Raison' },
  reasonHint: {
    en: 'Needed for a refusal, and sent to every owner.',
    fr: 'Requise pour un refus, et envoyée à chaque responsable.',
  },
  withdrawHint: { en: 'Sent to every owner.', fr: 'Envoyée à chaque responsable.' },
  decidedMeanwhile: {
    en: 'Your decision was not saved: the brand was changed or decided in the meantime. This is what there is now.',
    fr: 'Votre décision n’a pas été enregistrée\u00A0: l’image de marque a été modifiée ou décidée entre-temps. Voici ce qu’il y a maintenant.',
  },
})
