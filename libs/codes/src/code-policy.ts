// What differs between the codes of a contract and those of the console. Pure. [D16, P30]

/** The length of a code; 12 while too many wrong codes are counted. */
export type CodeDigits = 6 | 8 | 12

export interface CodePolicy {
  digits: 6 | 8
  /** Wrong codes for one address, after which its live codes end and its next codes have 12 digits. */
  wrongCodesMax: number
  /** `in_a_row`: until a right code. `in_a_day`: until the UTC day of the database clock ends, whatever code is right. */
  wrongCodesCounted: 'in_a_row' | 'in_a_day'
  /**
   * True: a code works only at the challenge that it was requested with, in the browser that requested it. False: at any live challenge
   * of its mailbox, so that a person may read the mail on one device and sign on another.
   */
  isBound: boolean
}

export const CEREMONY_CODES: CodePolicy = {
  digits: 6,
  wrongCodesMax: 100,
  wrongCodesCounted: 'in_a_row',
  isBound: false,
}

/** A code of the console opens whole accounts, so a guess must find one code of eight digits, twenty times a day at most. */
export const CONSOLE_CODES: CodePolicy = { digits: 8, wrongCodesMax: 20, wrongCodesCounted: 'in_a_day', isBound: true }
