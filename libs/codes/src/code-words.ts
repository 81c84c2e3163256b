// The messages of one-time codes that every page shares, in English and Canadian French.
// French: no space before ? and !, a no-break space before a colon. A number and its unit stay on one line.
import { createDictionary } from '@paraph/web/dictionary'
import { isSingular } from '@paraph/web/locale'

export const codeMessages = createDictionary({
  emailMissing: { en: 'Enter your email address', fr: 'Saisissez votre adresse courriel' },
  emailFormat: {
    en: 'Enter an email address in the format name@example.com',
    fr: 'Saisissez une adresse courriel au format nom@exemple.com',
  },
  sendCode: { en: 'Send me a code', fr: 'M’envoyer un code' },
  formTooOld: {
    en: 'This page was open for too long. Nothing was sent. Press the button again.',
    fr: 'Cette page est restée ouverte trop longtemps. Rien n’a été envoyé. Appuyez de nouveau sur le bouton.',
  },
  noCookie: {
    en: 'Your browser did not send a cookie that we need. Nothing was sent. Allow cookies for this site, then press the button again.',
    fr: 'Votre navigateur n’a pas transmis un témoin dont nous avons besoin. Rien n’a été envoyé. Autorisez les témoins pour ce site, puis appuyez de nouveau sur le bouton.',
  },
  busy: {
    en: 'Many people are using this page right now, so nothing was done. Wait a few seconds, then press the button again.',
    fr: 'Beaucoup de personnes utilisent cette page en ce moment; rien n’a donc été fait. Attendez quelques secondes, puis appuyez de nouveau sur le bouton.',
  },
  codeTitle: { en: 'Check your email', fr: 'Consultez vos courriels' },
  codeNeeded: { en: 'Ask for a new code', fr: 'Demandez un nouveau code' },
  codeOnItsWay: {
    en: 'It can take a few minutes. Check your junk folder too.',
    fr: 'L’envoi peut prendre quelques minutes. Vérifiez aussi vos courriels indésirables.',
  },
  codeNotSent: { en: 'We have not sent a code for this page.', fr: 'Nous n’avons pas envoyé de code pour cette page.' },
  codeNotSentYet: {
    en: 'We have not sent a code for this page, because one was requested less than a minute ago. Try again in a minute.',
    fr: 'Nous n’avons pas envoyé de code pour cette page, car un code a été demandé il y a moins d’une minute. Réessayez dans une minute.',
  },
  codeOfOtherBrowser: {
    en: 'A code works only in the browser where you asked for it.',
    fr: 'Un code ne fonctionne que dans le navigateur où vous l’avez demandé.',
  },
  otherBrowser: {
    en: 'This code was requested in another browser. Enter it there, or ask for a new code here.',
    fr: 'Ce code a été demandé dans un autre navigateur. Saisissez-le dans celui-là, ou demandez un nouveau code ici.',
  },
  codeLapsed: {
    en: 'This code has expired. Codes are valid for 10\u00A0minutes.',
    fr: 'Ce code a expiré. Un code est valable 10\u00A0minutes.',
  },
  codeLabel: { en: 'One-time code', fr: 'Code à usage unique' },
  codeHint: (digits: number) => ({
    en: `${digits} digits, valid for 10\u00A0minutes.`,
    fr: `${digits} chiffres, valable 10\u00A0minutes.`,
  }),
  continue: { en: 'Continue', fr: 'Continuer' },
  newCode: { en: 'Send a new code', fr: 'Envoyer un nouveau code' },
  otherAddress: { en: 'Use a different email address', fr: 'Utiliser une autre adresse courriel' },
  codeMissing: { en: 'Enter the code from the email', fr: 'Saisissez le code reçu par courriel' },
  codeShape: (digits: number) => ({ en: `Enter all ${digits} digits`, fr: `Saisissez les ${digits} chiffres` }),
  codeWrong: (left: number) => ({
    en: `That code is not correct. You have ${left} ${isSingular(left, 'en') ? 'try' : 'tries'} left.`,
    fr: `Ce code n’est pas le bon. Il vous reste ${left}\u00A0${isSingular(left, 'fr') ? 'essai' : 'essais'}.`,
  }),
  codeExpired: {
    en: 'That code has expired, and we have not sent a new one. Ask for a new code.',
    fr: 'Ce code a expiré et nous n’en avons pas envoyé d’autre. Demandez un nouveau code.',
  },
  codeExpiredSent: {
    en: 'That code has expired. We have sent a new one.',
    fr: 'Ce code a expiré. Nous en avons envoyé un nouveau.',
  },
  codeUsed: {
    en: 'That code has already been used. Ask for a new code.',
    fr: 'Ce code a déjà été utilisé. Demandez un nouveau code.',
  },
  codeDead: { en: 'Too many wrong codes', fr: 'Trop de codes erronés' },
  codeInAMinute: {
    en: 'We can send the next one in less than a minute.',
    fr: 'Nous pourrons envoyer le prochain dans moins d’une minute.',
  },
  codeTooSoon: {
    en: 'We have not sent another code, because one was requested less than a minute ago. If it does not arrive, or if you have already used it, ask for a new one in a minute.',
    fr: 'Nous n’avons pas envoyé d’autre code, car un code a été demandé il y a moins d’une minute. S’il n’arrive pas, ou si vous l’avez déjà utilisé, demandez-en un nouveau dans une minute.',
  },
  codeDelayed: {
    en: 'Email is slow at the moment. If your code takes more than 10\u00A0minutes to arrive, ask for a new one.',
    fr: 'L’envoi des courriels est lent en ce moment. Si votre code met plus de 10\u00A0minutes à arriver, demandez-en un nouveau.',
  },
})
