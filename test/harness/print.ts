// A line for whoever reads the run: what was measured. Straight to the terminal, past what a test runner holds back.
import { writeSync } from 'node:fs'

export const print = (line: string): void => void writeSync(1, `${line}\n`)
