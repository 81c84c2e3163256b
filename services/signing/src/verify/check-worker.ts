// The worker thread that checks one file, which may be hostile: expensive to read, or made to fill the memory. [D68]
import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { Beside, EvidenceReport } from './check.js'

export interface CheckJob {
  file: Uint8Array
  /** The keys and seals of this installation. */
  known: Pick<Beside, 'knownKeysPem' | 'knownSealsPem'>
}

/** Null: the file begins like a PDF or like evidence, and cannot be read as one. */
export type CheckAnswer = EvidenceReport | null

// The pages go first, also before the modules of a check load. Linux has a priority for each thread; elsewhere this would slow the pages too.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW)
const { checkEvidence } = await import('./check.js')

parentPort!.once('message', ({ file, known }: CheckJob) => {
  void checkEvidence(Buffer.from(file.buffer, file.byteOffset, file.byteLength), known)
    .catch((): CheckAnswer => null)
    .then((answer) => parentPort!.postMessage(answer))
})
