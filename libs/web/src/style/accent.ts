// The accent colour of a brand: what holds on our grounds, and the colours that replace ours. Pure. [D59, WCAG 1.4.3]
// An owner chooses one colour, which must hold on both light grounds. No colour holds on light and on dark grounds, so the dark scheme has
// the nearest lighter one that holds there.

/** The paper and the desk of base.css, in each scheme. */
export const GROUNDS = { light: ['#ffffff', '#f3f4f2'], dark: ['#191d20', '#101315'] } as const
type Scheme = keyof typeof GROUNDS

/** The least contrast of text. [WCAG 1.4.3] */
const CONTRAST_MIN = 4.5
/** How much darker, or lighter, a link or a button is under the pointer. */
const STRONGER = 0.12

/** The colours that replace ours, as in base.css. */
export interface AccentColours {
  accent: string
  accentStrong: string
  onAccent: string
}

/** `#1a5` or `1A5FB4`, with or without `#`, as `#rrggbb`; undefined for another text. */
export function readColour(text: string): string | undefined {
  const digits = /^#?([\da-f]{3}|[\da-f]{6})$/i.exec(text.trim())?.[1]?.toLowerCase()
  if (digits === undefined) return undefined
  return digits.length === 6 ? `#${digits}` : `#${[...digits].map((digit) => digit + digit).join('')}`
}

/** 1 to 21. [WCAG 2.2, contrast ratio] */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((left, right) => left - right)
  return (lighter + 0.05) / (darker + 0.05)
}

/** The colour itself if it holds on both grounds of the scheme, else the nearest of the same hue that does. */
export function nearestThatHolds(colour: string, scheme: Scheme): string {
  const [hue, saturation, lightness] = toHsl(colour)
  const step = scheme === 'light' ? -0.004 : 0.004
  let candidate = colour
  for (let at = lightness; !holds(candidate, scheme); at += step) candidate = fromHsl(hue, saturation, at)
  return candidate
}

const holds = (colour: string, scheme: Scheme): boolean =>
  GROUNDS[scheme].every((ground) => contrast(colour, ground) >= CONTRAST_MIN)

/** @param accent holds on the light grounds */
export function accentColours(accent: string, scheme: Scheme): AccentColours {
  const own = nearestThatHolds(accent, scheme)
  const [hue, saturation, lightness] = toHsl(own)
  return {
    accent: own,
    accentStrong: fromHsl(hue, saturation, lightness + (scheme === 'light' ? -STRONGER : STRONGER)),
    // The ground that is farther from the accent.
    onAccent: GROUNDS[scheme][scheme === 'light' ? 0 : 1],
  }
}

/** A style sheet to load after ours. Paper stays black on white. A wash of our accent would not suit another one. */
export function accentSheet(accent: string): string {
  const rules = (scheme: Scheme): string => {
    const colours = accentColours(accent, scheme)
    return `:root{--accent:${colours.accent};--accent-strong:${colours.accentStrong};--on-accent:${colours.onAccent};--wash:var(--desk)}`
  }
  return `@media screen{${rules('light')}}@media screen and (prefers-color-scheme:dark){${rules('dark')}}`
}

const channels = (colour: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((channel) =>
    channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Hue in degrees, saturation and lightness from 0 to 1. [CSS Color 4, 7] */
function toHsl(colour: string): [hue: number, saturation: number, lightness: number] {
  const [red = 0, green = 0, blue = 0] = channels(colour)
  const [max, min] = [Math.max(red, green, blue), Math.min(red, green, blue)]
  const lightness = (max + min) / 2
  const range = max - min
  if (range === 0) return [0, 0, lightness]
  const sixth =
    max === red ? (green - blue) / range : max === green ? (blue - red) / range + 2 : (red - green) / range + 4
  return [(sixth * 60 + 360) % 360, (max - lightness) / Math.min(lightness, 1 - lightness), lightness]
}

function fromHsl(hue: number, saturation: number, lightness: number): string {
  const level = Math.min(Math.max(lightness, 0), 1)
  const reach = saturation * Math.min(level, 1 - level)
  const channel = (offset: number): string => {
    const at = (offset + hue / 30) % 12
    const value = level - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1))
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0')
  }
  return `#${channel(0)}${channel(8)}${channel(4)}`
}
