// The rules of Canadian French typography that a machine can check. [D25]

const RULES: readonly (readonly [fault: string, pattern: RegExp])[] = [
  ['no no-break space before a colon', /(?<!\u00A0):/g],
  ['no no-break space inside « »', /«(?!\u00A0)|(?<!\u00A0)»/g],
  ['no no-break space before % or $', /(?<!\u00A0)[%$]/g],
  ['a space before ?, ! or ;', /[\s\u00A0][?!;]/g],
  ['a straight apostrophe or quotation mark', /['"]/g],
  ['no no-break space in a number', /\d [\d]/g],
  [
    'the day 1 without "er"',
    /\b1 (?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)/g,
  ],
]

/** Clock times, web addresses and API names, in which a colon is no punctuation. */
const NO_PROSE = /\d\d?:\d\d(?::\d\d)?|https?:\/\/\S+|\bmailto:|[\da-f:]+::\/\d+/g

/** A line for each fault in a French text, with the words around it; empty if there is none. */
export function frenchTypographyFaults(text: string): string[] {
  const prose = text.replace(NO_PROSE, 'x')
  return RULES.flatMap(([fault, pattern]) =>
    [...prose.matchAll(pattern)].map(
      ({ index }) => `${fault}: ${prose.slice(Math.max(0, index - 30), index + 15).replace(/\u00A0/g, '·')}`,
    ),
  )
}
