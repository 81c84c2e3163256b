// The baseline of sizing.mjs: nodemailer alone sends one mail repeatedly over five persistent connections, in a child process. A message
// from the parent contains port, mail and number of sends; the reply is the CPU time of one send in microseconds.
import nodemailer from 'nodemailer'

const WARM_UP = 200
const UNDER_WAY_MAX = 10

process.once('message', async ({ port, mail, count }) => {
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
  const send = async (times) => {
    let left = times
    const lane = async () => {
      while (left-- > 0) await transport.sendMail({ ...mail, attachments })
    }
    await Promise.all(Array.from({ length: UNDER_WAY_MAX }, lane))
  }
  await send(Math.min(WARM_UP, count))
  const from = process.cpuUsage()
  await send(count)
  const { user, system } = process.cpuUsage(from)
  transport.close()
  process.send((user + system) / count, () => process.disconnect())
})
