// Takes and frees random ports, like a busy machine. Run `node test/harness/stack/port-thief.mjs` during a test run to find tests that
// select a free port but listen on the port only later. On SIGINT, the script prints how many ports it took, and exits.
import { readFileSync } from 'node:fs'
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const HELD_AT_ONCE = 300
const HELD_MS_MAX = 1_000

/** The ports that the system assigns to outgoing connections and to servers on port 0. */
function ephemeralRange() {
  try {
    return readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').trim().split(/\s+/).map(Number)
  } catch {
    return [49_152, 65_535]
  }
}
const [first, last] = ephemeralRange()

let taken = 0
async function steal() {
  for (;;) {
    const server = createServer((socket) => socket.destroy())
    const isOurs = await new Promise((resolve) => {
      server.once('error', () => resolve(false)).listen(randomInt(first, last + 1), '127.0.0.1', () => resolve(true))
    })
    if (isOurs) taken += 1
    await sleep(randomInt(1, HELD_MS_MAX))
    server.close()
  }
}

process.on('SIGINT', () => {
  process.stdout.write(`${taken} ports taken between ${first} and ${last}\n`)
  process.exit()
})
for (let count = 0; count < HELD_AT_ONCE; count += 1) void steal()
