// Messages about a logo in English and Canadian French.
import { LOGO_BYTES_MAX, LOGO_PIXELS_MAX } from '@paraph/protocol/brand'
import { createDictionary, type Translated } from '@paraph/web/dictionary'
import { LANGUAGE_TAG, type Locale } from '@paraph/web/locale'
import type { LogoFault } from './logo-header.js'

const KILOBYTES = LOGO_BYTES_MAX / 1_000
const pixels = (locale: Locale): string => `${LOGO_PIXELS_MAX.toLocaleString(LANGUAGE_TAG[locale])}\u00A0pixels`

/** Why a file is no logo, and what to do. */
export const logoMessages = createDictionary({
  empty: { en: 'Choose a PNG or JPEG file', fr: 'Choisissez un fichier PNG ou JPEG' },
  tooLarge: {
    en: `This file has more than ${KILOBYTES}\u00A0KB. Export the picture in a smaller size.`,
    fr: `Ce fichier dépasse ${KILOBYTES}\u00A0ko. Exportez l’image dans un format plus petit.`,
  },
  svg: {
    en: `This is an SVG. Export it as a PNG of at most ${pixels('en')}, and choose that file.`,
    fr: `C’est un fichier SVG. Exportez-le en PNG d’au plus ${pixels('fr')}, puis choisissez ce fichier.`,
  },
  otherType: {
    en: 'This file is neither a PNG nor a JPEG. Export the picture as one of them.',
    fr: 'Ce fichier n’est ni un PNG ni un JPEG. Exportez l’image dans l’un de ces formats.',
  },
  tooWide: {
    en: `This picture is wider or higher than ${pixels('en')}. Make it smaller.`,
    fr: `Cette image fait plus de ${pixels('fr')} de large ou de haut. Réduisez-la.`,
  },
  damaged: {
    en: 'We cannot read this picture. Open it in an image editor, and export it again as a plain PNG or JPEG with RGB colours.',
    fr: 'Nous ne pouvons pas lire cette image. Ouvrez-la dans un éditeur d’images, puis exportez-la de nouveau en PNG ou en JPEG ordinaire, en couleurs RVB.',
  },
  tooDetailed: {
    en: `This picture has too many details for ${KILOBYTES}\u00A0KB. Make it smaller, or export a photograph as a JPEG.`,
    fr: `Cette image a trop de détails pour ${KILOBYTES}\u00A0ko. Réduisez-la, ou exportez une photo en JPEG.`,
  },
} satisfies Record<LogoFault, Translated>)
