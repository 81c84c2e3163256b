// The rules of Canadian French typography that every French text of the product follows. Pure.

/** The rules as faults: pattern → its description. */
const FAULTS: readonly (readonly [pattern: RegExp, fault: string])[] = [
  // A colon inside an address, a time or a name of code has no white space behind it.
  [/(?<!\u00A0):(?=\s|$)/g, 'no no-break space before ":"'],
  [/ :/g, 'a plain space before ":"'],
  [/«(?!\u00A0)/g, 'no no-break space after "«"'],
  [/(?<!\u00A0)»/g, 'no no-break space before "»"'],
  [/[ \u00A0\u202F][?!;]/g, 'a space before "?", "!" or ";", which France has and Canada has not'],
  [/\d \d{3}(?!\d)/g, 'a plain space inside a number'],
  [/\p{L}'\p{L}/gu, 'a straight apostrophe'],
  [/\d ?[%$]/g, 'no no-break space before "%" or "$"'],
  [
    /(?<!\d)1[ \u00A0](?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)/g,
    'the first of a month without "er"',
  ],
]

/** The faults of a French text, each with the words around it. Empty for a text without faults. */
export function frenchTypographyFaults(text: string): string[] {
  return FAULTS.flatMap(([pattern, fault]) =>
    [...text.matchAll(pattern)].map(
      ({ index }) => `${fault}: ${JSON.stringify(text.slice(Math.max(0, index - 15), index + 15))}`,
    ),
  )
}

/**
 * All texts of a dictionary in one language: of its texts, lists and tables, and of its functions with samples as parameters. A sample is
 * a name or a number, so each function gives a text with names, one with a singular and one with a plural.
 */
export function textsOf(messages: unknown): string[] {
  if (typeof messages === 'string') return [messages]
  if (typeof messages === 'function') {
    const message = messages as (...values: unknown[]) => unknown
    return SAMPLES.flatMap((sample) => textsOf(message(sample, sample, sample, sample)))
  }
  return typeof messages === 'object' && messages !== null ? Object.values(messages).flatMap(textsOf) : []
}

const SAMPLES = ['Nom', 1, 12_345] as const
