// The link to the same page in the other language, written in that language.
import { LANGUAGE_NAME, LANGUAGE_TAG, otherLocale, type Locale } from '../text/locale.js'

/** @param props.href this page in the other language; without it, no link */
export function LanguageLink(props: { locale: Locale; href: string | undefined }) {
  if (props.href === undefined) return null
  const other = otherLocale(props.locale)
  return (
    <a href={props.href} lang={LANGUAGE_TAG[other]} hreflang={LANGUAGE_TAG[other]}>
      {LANGUAGE_NAME[other]}
    </a>
  )
}
