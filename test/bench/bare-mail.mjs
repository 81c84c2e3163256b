// The baseline of mail-cost.mjs: nodemailer alone sends one mail repeatedly over five persistent connections, in a child process. A message
// from the parent contains port, mail, number of sends and their rate; the reply is the CPU time of one send in microseconds. Without a rate
// ten sends are always under way.
import { setTimeout as sleep } from 'node:timers/promises'
import nodemailer from 'nodemailer'

const UNDER_WAY_MAX = 10

process.on('message', async ({ port, mail, count, perSecond }) => {
  const attachments = mail.attachments.map(({ content, ...more }) => ({
    ...more,
    content: Buffer.from(content, 'base64'),
  }))
  const transport = nodemailer.createTransport({
    pool: true,
    maxConnections: 5,
    maxMessages: Infinity,
    host: '127.0.0.1',
    port,
    ignoreTLS: true,
  })
  let left = count
  const send = () => transport.sendMail({ ...mail, attachments })
  const lane = async () => {
    while (left-- > 0) await send()
  }
  const from = process.cpuUsage()
  if (perSecond === undefined) await Promise.all(Array.from({ length: UNDER_WAY_MAX }, lane))
  else await atRate(count, perSecond, send)
  const { user, system } = process.cpuUsage(from)
  transport.close()
  process.send((user + system) / count)
})

/** Calls `send` twice at a time, as the two parties of a contract cause mails. */
async function atRate(count, perSecond, send) {
  const startedAtMs = performance.now()
  const sent = []
  while (sent.length < count) {
    await sleep(Math.max(0, startedAtMs + (sent.length * 1_000) / perSecond - performance.now()))
    sent.push(send(sent.length), send(sent.length + 1))
  }
  await Promise.all(sent)
}
