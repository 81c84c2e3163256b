// A brand as the pages of the ceremony show it: the head of a page, and the accent in both schemes. [D59]
import { accentColours, GROUNDS } from '@paraph/web/accent'
import type { Locale } from '@paraph/web/locale'
import type { KeptBrand } from '../../brand/brand-store.js'
import { BoldName } from '../frame/parts.js'
import { brandMessages } from './messages.js'

interface BrandViewProps {
  locale: Locale
  /** The approved name of the account. */
  name: string
  brand: KeptBrand
  /** The path of its logo. */
  logoHref: string
}

export function BrandView({ locale, name, brand: { accent, logo }, logoHref }: BrandViewProps) {
  const alt = brandMessages(locale).logo
  return (
    <>
      <p class="brand-head">
        {logo && <img class="brand-logo" src={logoHref} alt={alt} width={logo.width} height={logo.height} />}{' '}
        <BoldName name={name} />
      </p>
      {accent !== null && (
        <ul class="swatches">
          {(['light', 'dark'] as const).map((scheme) => (
            <li key={scheme}>
              <Swatch {...{ locale, accent, scheme }} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** A link and a button on the paper of a scheme. A picture, because the security policy forbids the colours as inline styles. */
function Swatch({ locale, accent, scheme }: { locale: Locale; accent: string; scheme: 'light' | 'dark' }) {
  const text = brandMessages(locale)
  const colours = accentColours(accent, scheme)
  return (
    <>
      <svg class="swatch" viewBox="0 0 240 96" role="img" aria-label={`${text[scheme]}: ${colours.accent}`}>
        <rect width="240" height="96" rx="6" fill={GROUNDS[scheme][0]} />
        <text x="20" y="34" font-size="15" text-decoration="underline" fill={colours.accent}>
          {text.sample}
        </text>
        <rect x="20" y="48" width="140" height="32" rx="6" fill={colours.accent} />
        <text x="90" y="69" font-size="15" font-weight="600" text-anchor="middle" fill={colours.onAccent}>
          {text.sample}
        </text>
      </svg>
      <span class="soft small">
        {text[scheme]} <span class="mono">{colours.accent}</span>
      </span>
    </>
  )
}
