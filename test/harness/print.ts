// Prints a measurement directly to standard output, because jest would delay and annotate a console.log.
import { writeSync } from 'node:fs'

export const print = (line: string): void => void writeSync(1, `${line}\n`)
