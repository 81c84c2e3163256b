// The brand of an account: an accent colour and a logo, which pages, mails and the certificate show once the operator approved them. [D59]
import { z } from 'zod'

/** The limits of an uploaded logo, and of the picture that Paraph makes of it. */
export const LOGO_BYTES_MAX = 100_000
export const LOGO_PIXELS_MAX = 1_200

/** `#` and six lower-case hexadecimal digits. */
export const accentSchema = z.string().regex(/^#[0-9a-f]{6}$/)

export const LOGO_TYPES = ['png', 'jpeg'] as const
export type LogoType = (typeof LOGO_TYPES)[number]

const side = z.int().min(1).max(LOGO_PIXELS_MAX)

/** A picture without its bytes: what a page or a mail needs to show it. */
export const logoFactsSchema = z.object({
  type: z.enum(LOGO_TYPES),
  /** Of the bytes, in lower-case hexadecimal digits. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  width: side,
  height: side,
})
export type LogoFacts = z.infer<typeof logoFactsSchema>

/** A picture that Paraph encoded itself, with its bytes in hexadecimal digits: in base64 a search for tokens finds some by chance. [I14] */
export const logoSchema = logoFactsSchema.extend({ hex: z.hex().max(2 * LOGO_BYTES_MAX) })

/** At least one of both is not null. */
export interface Brand {
  accent: string | null
  logo: LogoFacts | null
}

/** The path of a logo at the origin of the share links. */
export const logoPath = ({ type, sha256 }: Pick<LogoFacts, 'type' | 'sha256'>): string =>
  `/assets/brand/${sha256}.${type}`

/** The path of the style sheet for an accent colour, at the same origin. */
export const accentSheetPath = (accent: string): string => `/assets/brand/${accent.slice(1)}.css`
