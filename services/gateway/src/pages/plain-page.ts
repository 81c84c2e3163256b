// Error pages of the gateway in the reader's language: not found, signing unavailable, too large. [D25]
// Plain HTML without a style sheet, because the service that has the style sheet may be unavailable.
import type { Context } from 'koa'
import { LANGUAGE_TAG, type Locale } from '@paraph/web/locale'
import { pageHeaders } from '@paraph/web/security-headers'
import { localeOf } from './locale.js'

interface Text {
  title: string
  text: string
}

const PAGES = {
  notFound: {
    status: 404,
    en: {
      title: 'Page not found',
      text: 'There is nothing at this address. Check the link in your e-mail and open it again.',
    },
    fr: {
      title: 'Page introuvable',
      text: 'Il n’y a rien à cette adresse. Vérifiez le lien dans votre courriel et ouvrez-le de nouveau.',
    },
  },
  unreadable: {
    status: 400,
    en: { title: 'The form did not arrive', text: 'What was sent could not be read. Go back and send it again.' },
    fr: {
      title: 'Le formulaire n’est pas arrivé',
      text: 'Ce qui a été envoyé est illisible. Revenez en arrière et envoyez-le de nouveau.',
    },
  },
  tooLarge: {
    status: 413,
    en: { title: 'Too much was sent', text: 'The form that was sent is too large. Go back and send less.' },
    fr: {
      title: 'L’envoi est trop volumineux',
      text: 'Le formulaire envoyé est trop volumineux. Revenez en arrière et envoyez-en moins.',
    },
  },
  signingUnavailable: {
    status: 503,
    en: {
      title: 'Signing is not available at the moment',
      text: 'We cannot show this page right now. Open the link again in a minute. If you sent a form, you may have to send it again.',
    },
    fr: {
      title: 'La signature n’est pas disponible pour le moment',
      text: 'Nous ne pouvons pas afficher cette page maintenant. Rouvrez le lien dans une minute. Si vous avez envoyé un formulaire, il faudra peut-être le renvoyer.',
    },
  },
  /** The signing service became unavailable while a signature was submitted. [D41] */
  signatureUnknown: {
    status: 503,
    en: {
      title: 'Signing is not available at the moment',
      text: 'We do not know yet whether your signature was recorded. Open the link again in a minute; it will say.',
    },
    fr: {
      title: 'La signature n’est pas disponible pour le moment',
      text: 'Nous ne savons pas encore si votre signature a été enregistrée. Ouvrez de nouveau le lien dans une minute; il vous le dira.',
    },
  },
  /** The reference needs the contract service's part of the OpenAPI document. */
  referenceAway: {
    status: 503,
    en: {
      title: 'The reference is not available at the moment',
      text: 'A part of it is still missing. Load this page again in a few seconds.',
    },
    fr: {
      title: 'La référence n’est pas disponible pour le moment',
      text: 'Il en manque encore une partie. Rechargez cette page dans quelques secondes.',
    },
  },
} as const satisfies Record<string, Record<Locale, Text> & { status: number }>

/** Answers with one of these pages. @param https whether people reach the site by https */
export function writePlainPage(ctx: Context, page: keyof typeof PAGES, { https }: { https: boolean }): void {
  const locale = localeOf(ctx, https)
  const { status } = PAGES[page]
  const { title, text } = PAGES[page][locale]
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
