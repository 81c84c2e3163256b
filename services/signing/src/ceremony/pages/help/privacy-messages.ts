// Messages of the privacy page, in English and Canadian French. They describe what is stored: update them when it changes.
import { createDictionary } from '@paraph/web/dictionary'

export const privacyMessages = createDictionary({
  title: { en: 'Privacy', fr: 'Confidentialité' },
  lead: {
    en: 'What this site keeps about the parties to a contract, and who can see it.',
    fr: 'Ce que ce site conserve au sujet des parties à un contrat, et qui peut le voir.',
  },
  keptTitle: { en: 'What we keep', fr: 'Ce que nous conservons' },
  kept: {
    en: [
      'From the sender: your name, your role, your email address and the text of the contract.',
      'From you: when you confirmed your address, when the text was shown, that you agreed, the name you typed and when you signed, with the network address and browser you used to confirm and to sign. This is the evidence of your signature.',
      'We also keep with the contract each address that someone types after opening the link, whether or not the contract names it.',
      'We keep what someone writes under “Report this request” for the operator of this site. We do not keep a document that someone checks here.',
      'A contract that has ended can be erased. Its text, names, addresses, network addresses and browsers are then deleted here. What remains, fingerprints and times, names nobody. Copies that people have received stay with them.',
    ],
    fr: [
      'De l’expéditeur\u00A0: votre nom, votre rôle, votre adresse courriel et le texte du contrat.',
      'De vous\u00A0: quand vous avez confirmé votre adresse, quand le texte a été affiché, que vous avez accepté, le nom que vous avez saisi et quand vous avez signé, avec l’adresse réseau et le navigateur utilisés pour confirmer et pour signer. C’est la preuve de votre signature.',
      'Nous conservons aussi avec le contrat chaque adresse que quelqu’un saisit après avoir ouvert le lien, que le contrat la nomme ou non.',
      'Nous conservons ce que quelqu’un écrit sous «\u00A0Signaler cette demande\u00A0» pour l’exploitant de ce site. Nous ne conservons pas un document que quelqu’un vérifie ici.',
      'Un contrat terminé peut être effacé. Son texte, les noms, les adresses, les adresses réseau et les navigateurs sont alors supprimés ici. Ce qui reste, des empreintes et des heures, ne nomme personne. Les copies que des personnes ont reçues restent chez elles.',
    ],
  },
  seenTitle: { en: 'Who can see it', fr: 'Qui peut le voir' },
  seen: {
    en: [
      'The sender sees your name, your address and when you signed. The other parties see your role, your name and whether you have signed, but never your address.',
      'Anyone who has the link but no code sees only who sent the contract, its type, its number and the date to sign by.',
    ],
    fr: [
      'L’expéditeur voit votre nom, votre adresse et quand vous avez signé. Les autres parties voient votre rôle, votre nom et si vous avez signé, mais jamais votre adresse.',
      'Une personne qui a le lien sans avoir de code voit seulement qui a envoyé le contrat, son type, son numéro et la date limite pour signer.',
    ],
  },
  cookiesTitle: { en: 'Cookies', fr: 'Témoins' },
  cookies: {
    en: [
      'Once you enter the right code, one cookie tells us that it was you. It ends after 24\u00A0hours or when you press “Finish and leave”. Another remembers the language if you choose one. If your session ends before you sign, a third keeps the name that you typed, encrypted, for 15\u00A0minutes. When you ask for a code, a fourth, a random number, distinguishes your browser from others for a day.',
      'We do not track you, and nothing is loaded from other websites.',
    ],
    fr: [
      'Une fois le bon code saisi, un témoin nous dit que c’est vous. Il prend fin après 24\u00A0heures ou quand vous appuyez sur «\u00A0Terminer et quitter\u00A0». Un autre retient la langue si vous en choisissez une. Si votre session prend fin avant que vous signiez, un troisième conserve, chiffré, le nom que vous avez saisi, pendant 15\u00A0minutes. Quand vous demandez un code, un quatrième, un nombre aléatoire, distingue votre navigateur des autres pendant une journée.',
      'Nous ne faisons aucun suivi, et rien n’est chargé depuis d’autres sites.',
    ],
  },
  questions: (address: string) => ({
    en: `Questions about your data: ${address}.`,
    fr: `Questions au sujet de vos données\u00A0: ${address}.`,
  }),
})
