// Preloaded with `node --import` by the fault stack: SIGUSR2 blocks the event loop of this process for the milliseconds in the file
// `block-ms` of its folder of fail points. The product has no such signal. [F43]
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

process.on('SIGUSR2', () => {
  const ms = Number(readFileSync(join(process.env.FAIL_POINT_DIR, 'block-ms'), 'utf8'))
  // Waits instead of computing, so that the block takes no processor from the others.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
})
