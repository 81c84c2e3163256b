// A small client of WebKitWebDriver: the commands that the main story needs. [W3C WebDriver]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../until.js'
import { endProcess, type Driver } from './other-browsers.js'

/** The key of an element's reference in an answer. [W3C WebDriver, 12.1] */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
const CAPABILITIES = {
  alwaysMatch: {
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': { args: ['--automation'] },
    timeouts: { implicit: 10_000 },
  },
}

/** Starts a display, the driver, and the MiniBrowser of WebKitGTK with one window. */
export async function openWebKitDriver(): Promise<Driver> {
  // WebKit stores files in the home folder if no folder for downloads is set.
  const home = await mkdtemp(join(tmpdir(), 'paraph-webkit-'))
  const screen = spawn('Xvfb', ['-displayfd', '1', '-nolisten', 'tcp', '-screen', '0', '1280x900x24'])
  const [number] = (await once(screen.stdout, 'data')) as [Buffer]
  const port = await freePort()
  const env = { ...process.env, HOME: home, DISPLAY: `:${number.toString().trim()}` }
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], { env, stdio: 'ignore' })
  let base = `http://127.0.0.1:${port}`

  async function send<Value>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Value> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(`${base}${path}`, { method, ...sent })
    const { value } = (await answer.json()) as { value: Value }
    if (!answer.ok) throw new Error(`${method} ${path} returned ${answer.status}: ${JSON.stringify(value)}`)
    return value
  }
  const succeeds = (request: Promise<unknown>): Promise<boolean> =>
    request.then(
      () => true,
      () => false,
    )
  await until('the driver of WebKit', async () => (await succeeds(send('GET', '/status'))) || undefined)
  base += `/session/${(await send<{ sessionId: string }>('POST', '/session', { capabilities: CAPABILITIES })).sessionId}`

  const find = async (value: string): Promise<string> =>
    `/element/${(await send<Record<typeof ELEMENT, string>>('POST', '/element', { using: 'xpath', value }))[ELEMENT]}`
  const click = async (xpath: string): Promise<void> => send('POST', `${await find(xpath)}/click`, {})
  return {
    downloads: home,
    open: (url) => send('POST', '/url', { url }),
    click,
    async submit(xpath) {
      const page = await find('/html')
      await click(xpath)
      await until('the next page', async () => ((await succeeds(send('GET', `${page}/name`))) ? undefined : true))
    },
    type: async (xpath, text) => send('POST', `${await find(xpath)}/value`, { text }),
    textOf: async (xpath) => send('GET', `${await find(xpath)}/text`),
    async close() {
      await send('DELETE', '')
      await Promise.all([driver, screen].map(endProcess))
      await rm(home, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
