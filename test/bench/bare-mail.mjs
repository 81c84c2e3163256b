// The baseline of mail-cost.mjs: nodemailer alone sends one mail repeatedly over five persistent connections, in a child process. A message
// from the parent contains port, mail and number of sends; the reply is the CPU time of one send in microseconds.
import nodemailer from 'nodemailer'

const UNDER_WAY_MAX = 10

process.on('message', async ({ port, mail, count }) => {
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
  const lane = async () => {
    while (left-- > 0) await transport.sendMail({ ...mail, attachments })
  }
  const from = process.cpuUsage()
  await Promise.all(Array.from({ length: UNDER_WAY_MAX }, lane))
  const { user, system } = process.cpuUsage(from)
  transport.close()
  process.send((user + system) / count)
})
