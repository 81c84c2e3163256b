// Checks the typography of Canadian French. For tests. Pure.

const MONTHS = 'janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre'

/** Fault → where it is. A colon in an address or a time has no blank after it. */
const FAULTS: Record<string, RegExp> = {
  'no no-break space before the colon': /(?<!\u00A0):(?=\s|$)/g,
  'no no-break space inside the quotation marks': /«(?!\u00A0)|(?<!\u00A0)»/g,
  'no no-break space before the unit': /\d ?[%$]/g,
  'a space before the mark': /[\s\u202F][?!;]/g,
  'no no-break space in the number': /(?<!\d)\d{1,3} \d{3}(?!\d)/g,
  'the first of the month without "er"': new RegExp(`(?<!\\d)1\\s(?:${MONTHS})\\b`, 'g'),
  'a straight apostrophe': /\p{L}'\p{L}/gu,
}

/** Each fault with the text around it; empty for correct French. */
export const frenchTypographyFaults = (text: string): string[] =>
  Object.entries(FAULTS).flatMap(([fault, pattern]) =>
    [...text.matchAll(pattern)].map(({ index }) => `${fault}: ${text.slice(Math.max(0, index - 30), index + 12)}`),
  )
