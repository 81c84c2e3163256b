// Text of the page at / in English and Canadian French.
import { createDictionary } from '@paraph/web/dictionary'

export const homeMessages = createDictionary({
  title: { en: 'Contracts that several people sign', fr: 'Des contrats que plusieurs personnes signent' },
  lead: {
    en: 'This is a Paraph server. Platforms send contracts through it; everyone named in a contract reads it whole and signs, each in their own mailbox and time.',
    fr: 'Ceci est un serveur Paraph. Des plateformes y font passer des contrats; chaque personne nommée dans un contrat le lit en entier et le signe, de sa propre boîte et à son heure.',
  },
  linkTitle: { en: 'Somebody sent you a contract', fr: 'Quelqu’un vous a envoyé un contrat' },
  link: {
    en: 'Open the link in the e-mail. It is the only way to the contract, and opening it signs nothing. The [help page](/help) says how signing works, and how to check a contract that is signed.',
    fr: 'Ouvrez le lien du courriel. C’est le seul chemin vers le contrat, et l’ouvrir ne signe rien. La [page d’aide](/help) dit comment se fait la signature, et comment vérifier un contrat signé.',
  },
  developerTitle: { en: 'You want to send contracts', fr: 'Vous voulez envoyer des contrats' },
  developer: {
    en: 'One call with the parties and a plain text; the server sends the e-mails, and says who has signed. In your [account](/console) you apply, choose a tier and make keys.',
    fr: 'Un seul appel avec les parties et un texte brut; le serveur envoie les courriels, et dit qui a signé. Dans votre [compte](/console), vous faites une demande, choisissez un palier et créez des clés.',
  },
  docs: { en: 'Read the documentation', fr: 'Lire la documentation' },
  console: { en: 'Open the console', fr: 'Ouvrir la console' },
})
