// Error pages of the gateway in the reader's language: not found, busy, signing unavailable, too large. [D25]
// Plain HTML without a style sheet, because the service that has the style sheet may be unavailable.
import type { Context } from 'koa'
import { LANGUAGE_TAG, type Locale } from '@paraph/web/locale'
import { pageHeaders } from '@paraph/web/security-headers'
import { localeOf } from './locale.js'

const SIGNING_UNAVAILABLE = {
  en: 'Signing is not available at the moment',
  fr: 'La signature n’est pas disponible pour le moment',
}

const PAGES = {
  notFound: {
    status: 404,
    title: { en: 'Page not found', fr: 'Page introuvable' },
    text: {
      en: 'There is nothing at this address. Check the link in your e-mail and open it again.',
      fr: 'Il n’y a rien à cette adresse. Vérifiez le lien dans votre courriel et ouvrez-le de nouveau.',
    },
  },
  unreadable: {
    status: 400,
    title: { en: 'The form did not arrive', fr: 'Le formulaire n’est pas arrivé' },
    text: {
      en: 'What was sent could not be read. Go back and send it again.',
      fr: 'Ce qui a été envoyé est illisible. Revenez en arrière et envoyez-le de nouveau.',
    },
  },
  tooLarge: {
    status: 413,
    title: { en: 'Too much was sent', fr: 'L’envoi est trop volumineux' },
    text: {
      en: 'The form that was sent is too large. Go back and send less.',
      fr: 'Le formulaire envoyé est trop volumineux. Revenez en arrière et envoyez-en moins.',
    },
  },
  /** More forms from one client than a minute allows. */
  tooMany: {
    status: 429,
    title: { en: 'That was a lot at once', fr: 'C’était beaucoup d’un coup' },
    text: {
      en: 'Many forms came from your network in the last minute, so we did not take this one. Wait a minute, then reload this page: your browser offers to send the form again, as you filled it in.',
      fr: 'Beaucoup de formulaires sont venus de votre réseau en une minute; nous n’avons donc pas pris celui-ci. Attendez une minute, puis rechargez cette page: votre navigateur propose de renvoyer le formulaire tel que vous l’avez rempli.',
    },
  },
  /** As many forms are in progress as we handle at a time. */
  busy: {
    status: 503,
    title: { en: 'Busy, try again in a moment', fr: 'Beaucoup de monde, réessayez dans un instant' },
    text: {
      en: 'Many people are sending a form right now, so we did not take yours. Wait a few seconds, then reload this page: your browser offers to send the form again, as you filled it in.',
      fr: 'Beaucoup de gens envoient un formulaire en ce moment; nous n’avons donc pas pris le vôtre. Attendez quelques secondes, puis rechargez cette page: votre navigateur propose de renvoyer le formulaire tel que vous l’avez rempli.',
    },
  },
  signingUnavailable: {
    status: 503,
    title: SIGNING_UNAVAILABLE,
    text: {
      en: 'We cannot show this page right now. Open the link again in a minute. If you sent a form, you may have to send it again.',
      fr: 'Nous ne pouvons pas afficher cette page maintenant. Rouvrez le lien dans une minute. Si vous avez envoyé un formulaire, il faudra peut-être le renvoyer.',
    },
  },
  /** The signing service became unavailable while a signature was submitted. [D41] */
  signatureUnknown: {
    status: 503,
    title: SIGNING_UNAVAILABLE,
    text: {
      en: 'We do not know yet whether your signature was recorded. Open the link again in a minute; it will say.',
      fr: 'Nous ne savons pas encore si votre signature a été enregistrée. Ouvrez de nouveau le lien dans une minute; il vous le dira.',
    },
  },
  /** The reference needs the contract service's part of the OpenAPI document. */
  referenceAway: {
    status: 503,
    title: {
      en: 'The documentation is temporarily unavailable',
      fr: 'La documentation est temporairement indisponible',
    },
    text: { en: 'Reload this page in a few seconds.', fr: 'Rechargez cette page dans quelques secondes.' },
  },
} as const satisfies Record<string, { status: number; title: Record<Locale, string>; text: Record<Locale, string> }>

/** Answers with one of the pages above. @param https whether people reach the site by https */
export function writePlainPage(ctx: Context, page: keyof typeof PAGES, { https }: { https: boolean }): void {
  const locale = localeOf(ctx, https)
  const { status, ...messages } = PAGES[page]
  const [title, text] = [messages.title[locale], messages.text[locale]]
  ctx.status = status
  ctx.set(pageHeaders(https))
  if (status === 503) ctx.set('Retry-After', '5')
  ctx.type = 'html'
  ctx.body = `<!doctype html>
<html lang="${LANGUAGE_TAG[locale]}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} - Paraph</title></head>
<body><main><h1>${title}</h1><p>${text}</p></main></body>
</html>
`
}
