// Takes and frees random ports, like a busy machine. Run `node test/harness/stack/port-thief.mjs` during a test run to find tests that
// select a free port but listen on the port only later. On SIGINT, the script prints how many ports it took, and exits.
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const HELD_AT_ONCE = 20
const HELD_MS_MAX = 300

let taken = 0
async function steal() {
  for (;;) {
    // Accepts connections and answers nothing, so that a client without a time limit waits.
    const server = createServer()
    const isOurs = await new Promise((resolve) => {
      server.once('error', () => resolve(false)).listen(randomInt(1_024, 65_536), '127.0.0.1', () => resolve(true))
    })
    if (isOurs) taken += 1
    await sleep(randomInt(1, HELD_MS_MAX))
    server.close()
  }
}

process.on('SIGINT', () => {
  process.stdout.write(`${taken} ports taken\n`)
  process.exit()
})
for (let count = 0; count < HELD_AT_ONCE; count += 1) void steal()
