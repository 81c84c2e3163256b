// Prints a measurement for the reader of the run, directly to the terminal, past the buffer of the test runner.
import { writeSync } from 'node:fs'

export const print = (line: string): void => void writeSync(1, `${line}\n`)
