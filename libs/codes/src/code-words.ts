// The messages of one-time codes that every page shares, in English and Canadian French.
// French: no space before ? and !, a no-break space before a colon. A number and its unit stay on one line.
import { createDictionary } from '@paraph/web/dictionary'
import { isSingular } from '@paraph/web/locale'

export const codeMessages = createDictionary({
  emailMissing: { en: 'Enter your e-mail address', fr: 'Entrez votre adresse de courriel' },
  emailFormat: {
    en: 'Enter an e-mail address in the form name@example.com',
    fr: 'Entrez une adresse de courriel de la forme nom@exemple.com',
  },
  sendCode: { en: 'Send me a code', fr: 'M’envoyer un code' },
  formTooOld: {
    en: 'This page was open for too long. Nothing was sent. Press the button again.',
    fr: 'Cette page est restée ouverte trop longtemps. Rien n’a été envoyé. Appuyez de nouveau sur le bouton.',
  },
  noCookie: {
    en: 'Your browser did not send the cookie that we need here. Nothing was sent. Allow cookies for this site, and press the button again.',
    fr: 'Votre navigateur n’a pas transmis le témoin dont nous avons besoin. Rien n’a été envoyé. Autorisez les témoins pour ce site, puis appuyez de nouveau sur le bouton.',
  },
  busy: {
    en: 'Many people press this button at the moment, so nothing was done. Wait a few seconds and press it again.',
    fr: 'Beaucoup de personnes appuient sur ce bouton en ce moment; rien n’a donc été fait. Attendez quelques secondes et appuyez de nouveau.',
  },
  codeTitle: { en: 'Check your e-mail', fr: 'Consultez vos courriels' },
  codeOnItsWay: {
    en: 'It can take a few minutes. Look in the junk folder too.',
    fr: 'Cela peut prendre quelques minutes. Regardez aussi dans les courriels indésirables.',
  },
  codeNotSent: {
    en: 'No code was sent from this page. Ask for a new one.',
    fr: 'Aucun code n’a été envoyé depuis cette page. Demandez-en un nouveau.',
  },
  codeNotSentYet: {
    en: 'A code was asked for less than a minute ago, so none was sent from this page. Ask for a new one in a minute.',
    fr: 'Un code a été demandé il y a moins d’une minute; aucun n’a donc été envoyé depuis cette page. Demandez-en un nouveau dans une minute.',
  },
  codeOfOtherBrowser: {
    en: 'A code works only in the browser where it was asked for.',
    fr: 'Un code ne fonctionne que dans le navigateur où il a été demandé.',
  },
  otherBrowser: {
    en: 'This code was asked for in another browser. Type it there, or ask for a new code here.',
    fr: 'Ce code a été demandé dans un autre navigateur. Entrez-le là-bas, ou demandez un nouveau code ici.',
  },
  codeLapsed: {
    en: 'A code works for 10\u00A0minutes, and they are over for this page. Ask for a new one.',
    fr: 'Un code est valable 10\u00A0minutes, et elles sont écoulées pour cette page. Demandez-en un nouveau.',
  },
  codeLabel: { en: 'One-time code', fr: 'Code à usage unique' },
  codeHint: (digits: number) => ({
    en: `${digits} numbers. It works for 10\u00A0minutes.`,
    fr: `${digits} chiffres. Il est valable 10\u00A0minutes.`,
  }),
  continue: { en: 'Continue', fr: 'Continuer' },
  newCode: { en: 'Send a new code', fr: 'Envoyer un nouveau code' },
  otherAddress: { en: 'Use a different e-mail address', fr: 'Utiliser une autre adresse' },
  codeMissing: { en: 'Enter the code from the e-mail', fr: 'Entrez le code reçu par courriel' },
  codeShape: (digits: number) => ({
    en: `The code must be ${digits} numbers`,
    fr: `Le code doit compter ${digits} chiffres`,
  }),
  codeWrong: (left: number) => ({
    en: `The code is not correct. You have ${left} ${isSingular(left, 'en') ? 'try' : 'tries'} left.`,
    fr: `Le code n’est pas le bon. Il vous reste ${left}\u00A0${isSingular(left, 'fr') ? 'essai' : 'essais'}.`,
  }),
  codeExpired: {
    en: 'That code has expired, and no new one was sent. Ask for a new code.',
    fr: 'Ce code a expiré et aucun autre n’a été envoyé. Demandez un nouveau code.',
  },
  codeExpiredSent: {
    en: 'That code has expired. We have sent a new one.',
    fr: 'Ce code a expiré. Nous en avons envoyé un nouveau.',
  },
  codeUsed: {
    en: 'That code was already used. Ask for a new code.',
    fr: 'Ce code a déjà servi. Demandez un nouveau code.',
  },
  codeDead: { en: 'Too many wrong codes', fr: 'Trop de codes erronés' },
  codeTooSoon: {
    en: 'A code was asked for less than a minute ago, so we did not send another. It can take a few minutes. If that code does not work, ask for another in a minute.',
    fr: 'Un code a été demandé il y a moins d’une minute; nous n’en avons donc pas envoyé d’autre. Cela peut prendre quelques minutes. Si ce code ne fonctionne pas, demandez-en un autre dans une minute.',
  },
  codeDelayed: {
    en: 'E-mail is slow at the moment. If your code takes more than 10\u00A0minutes, ask for a new one.',
    fr: 'L’envoi des courriels est lent en ce moment. Si votre code met plus de 10\u00A0minutes à arriver, demandez-en un nouveau.',
  },
})
