// Where a direction mark (LRM, RLM, ALM) does its own work and can change no number. PURE. [ceremony: hidden and bidi characters]
// Such a mark is itself a letter without ink: beside a figure it draws the figure to its other side, so that "5.10" is read as
// "510" and "5 ... 7" as "57"; a mark from left to right between two words from right to left changes places between them.

const RTL_LETTER = /(?=\p{L})[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

const NUMBER = /\p{N}/u
const PART_OF_NUMBER = /[\p{N}\p{Sc}.,:/+%#°'’\u2030\u2212\u066A-\u066C\p{Pd}]/u
const LETTER_OR_NUMBER = /[\p{L}\p{N}]/u
const WITHOUT_INK = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/u

/** Further away a letter is not beside the mark; and no line is searched from end to end for every mark. */
const REACH = 16
const LRM = 0x200e

/**
 * True for the mark at `at` if the letters beside it, stops and blanks aside, are letters: from right to left on one side, and no
 * number on either. A mark from left to right wants none from right to left on its other side, and one before it: where a line
 * begins it would turn the whole line.
 */
export function isMarkAtHome(line: string, at: number): boolean {
  const before = lookFrom(line, at, -1)
  const behind = lookFrom(line, at, 1)
  if ([before, behind].some((side) => PART_OF_NUMBER.test(side.next) || NUMBER.test(side.letter))) return false
  const isRtl = [before, behind].map((side) => RTL_LETTER.test(side.letter))
  if (line.charCodeAt(at) !== LRM) return isRtl.includes(true)
  return before.letter !== '' && isRtl[0] !== isRtl[1]
}

/** The next character that has ink or is blank, and the next letter or number; '' where the line ends before. */
function lookFrom(line: string, from: number, step: 1 | -1): { next: string; letter: string } {
  let next = ''
  let at = from
  for (let steps = 0; steps < REACH; steps += 1) {
    at += step
    if (at < 0 || at >= line.length) break
    // Backwards the second half of a pair comes first.
    if (step < 0 && at > 0 && line.codePointAt(at - 1)! > 0xffff) at -= 1
    const character = String.fromCodePoint(line.codePointAt(at)!)
    if (step > 0) at += character.length - 1
    if (WITHOUT_INK.test(character)) continue
    next ||= character
    if (LETTER_OR_NUMBER.test(character)) return { next, letter: character }
  }
  return { next, letter: '' }
}
