// Decides whether a direction mark (LRM, RLM, ALM) is in a context where it cannot change a number. Pure.
// [ceremony: hidden and bidi characters]
// The bidi algorithm treats such a mark as an invisible letter. Beside a digit it moves the digit to its other side, so that "5.10"
// reads as "510" and "5 ... 7" as "57". A left-to-right mark between two right-to-left words swaps them.

const RTL_LETTER = /(?=\p{L})[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

const NUMBER = /\p{N}/u
const PART_OF_NUMBER = /[\p{N}\p{Sc}.,:/+%#°'’\u2030\u2212\u066A-\u066C\p{Pd}]/u
const LETTER_OR_NUMBER = /[\p{L}\p{N}]/u
const WITHOUT_INK = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/u

/** A letter farther away is not beside the mark. The limit also keeps the search linear. */
const REACH = 16
const LRM = 0x200e

/**
 * Looks at the nearest letter or number on both sides of the mark at `at`, past stops and blanks. True if one is a right-to-left
 * letter and none is a number. A left-to-right mark also needs a letter before it, because at the start of a line it would turn the
 * whole line, and a right-to-left letter on one side only.
 */
export function isMarkInContext(line: string, at: number): boolean {
  const before = neighbourOf(line, at, -1)
  const after = neighbourOf(line, at, 1)
  if ([before, after].some((side) => PART_OF_NUMBER.test(side.next) || NUMBER.test(side.letter))) return false
  const isRtl = [before, after].map((side) => RTL_LETTER.test(side.letter))
  if (line.charCodeAt(at) !== LRM) return isRtl.includes(true)
  return before.letter !== '' && isRtl[0] !== isRtl[1]
}

/** The next character with ink or a blank, and the next letter or number; '' if the line ends before it. */
function neighbourOf(line: string, from: number, step: 1 | -1): { next: string; letter: string } {
  let next = ''
  let at = from
  for (let steps = 0; steps < REACH; steps += 1) {
    at += step
    if (at < 0 || at >= line.length) break
    // Backwards, the second half of a surrogate pair comes first.
    if (step < 0 && at > 0 && line.codePointAt(at - 1)! > 0xffff) at -= 1
    const character = String.fromCodePoint(line.codePointAt(at)!)
    if (step > 0) at += character.length - 1
    if (WITHOUT_INK.test(character)) continue
    next ||= character
    if (LETTER_OR_NUMBER.test(character)) return { next, letter: character }
  }
  return { next, letter: '' }
}
