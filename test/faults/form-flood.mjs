// A process that keeps forms open: 1,000 connections, each of which sends a form again as soon as it is answered. [F39, P26]
// A process of its own, and the last in the queue for a core, because an attacker does not share the machine of the services.
// Reads one JSON object from its input. Prints a line when half of the first forms are answered, so that all are open, and the answers by
// status when it ends.
import { Agent, request } from 'node:http'
import { setPriority } from 'node:os'
import { text } from 'node:stream/consumers'

const { open, clients } = JSON.parse(await text(process.stdin))
const agent = new Agent({ keepAlive: true, maxSockets: open })
const answers = {}
let count = 0
let isOver = false
setPriority(19)

/** Sends one form; resolves with the status, or `lost` if no answer came. */
const send = ({ url, cookie, address, body }) =>
  new Promise((resolve) => {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': Buffer.byteLength(body),
      'x-forwarded-for': address,
      cookie,
    }
    const call = request(url, { method: 'POST', agent, headers }, (answer) => {
      answer
        .resume()
        .on('end', () => resolve(answer.statusCode))
        .on('error', () => resolve('lost'))
    })
    call.on('error', () => resolve('lost')).end(body)
  })

async function keepOpen(at) {
  while (!isOver) {
    const status = await send(clients[at % clients.length])
    if (isOver) return
    answers[status] = (answers[status] ?? 0) + 1
    count += 1
    if (count === open / 2) process.stdout.write('open\n')
  }
}

process.on('SIGTERM', () => {
  isOver = true
  process.stdout.write(`${JSON.stringify(answers)}\n`, () => process.exit(0))
})
for (let at = 0; at < open; at += 1) void keepOpen(at)
