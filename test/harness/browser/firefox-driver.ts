// A small client of Firefox: the commands that the main story needs. [W3C WebDriver BiDi]
// The playwright of this repository needs a newer Firefox than Debian's.
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { WebSocket } from 'undici'
import { until } from '../until.js'
import { endProcess, type Driver } from './other-browsers.js'

const preferencesOf = (downloads: string) => ({
  'browser.download.folderList': 2,
  'browser.download.dir': downloads,
  'browser.download.alwaysOpenPanel': false,
  'browser.download.always_ask_before_handling_new_types': false,
  'browser.helperApps.neverAsk.saveToDisk': 'application/pdf',
  'pdfjs.disabled': true,
})

interface Message {
  id?: number
  type: 'success' | 'error' | 'event'
  method?: string
  result?: unknown
}

/** Starts `firefox-esr` with one window and a profile of its own. */
export async function openFirefoxDriver(): Promise<Driver> {
  const home = await mkdtemp(join(tmpdir(), 'paraph-firefox-'))
  const downloads = join(home, 'downloads')
  const lines = Object.entries(preferencesOf(downloads)).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  )
  await writeFile(join(home, 'user.js'), lines.join(''))
  const argv = ['--headless', '--no-remote', '--profile', home, '--remote-debugging-port', '0']
  const browser = spawn('firefox-esr', argv, { stdio: ['ignore', 'ignore', 'pipe'] })
  const address = await new Promise<string>((resolve, reject) => {
    createInterface(browser.stderr).on('line', (line) => {
      const found = /^WebDriver BiDi listening on (ws:\S+)/.exec(line)
      if (found) resolve(found[1]!)
    })
    browser.on('exit', () => reject(new Error('Firefox ended before it listened')))
  })
  const { send, next, close } = await connect(`${address}/session`)
  await send('session.new', { capabilities: {} })
  await send('session.subscribe', { events: ['browsingContext.load'] })
  const { contexts } = await send<{ contexts: { context: string }[] }>('browsingContext.getTree', {})
  const { context } = contexts[0]!

  const find = (value: string) =>
    until(value, async () => {
      const locator = { type: 'xpath', value }
      return (await send<{ nodes: { sharedId: string }[] }>('browsingContext.locateNodes', { context, locator }))
        .nodes[0]
    })
  const call = async (xpath: string, functionDeclaration: string): Promise<string> => {
    const answer = await send<{ result: { value: string } }>('script.callFunction', {
      functionDeclaration,
      arguments: [await find(xpath)],
      target: { context },
      awaitPromise: false,
    })
    return answer.result.value
  }
  const perform = (type: 'pointer' | 'key', actions: object[]): Promise<unknown> =>
    send('input.performActions', { context, actions: [{ type, id: type, actions }] })
  async function click(xpath: string): Promise<void> {
    await call(xpath, "(element) => element.scrollIntoView({ block: 'center' })")
    const { sharedId } = await find(xpath)
    await perform('pointer', [
      { type: 'pointerMove', x: 0, y: 0, origin: { type: 'element', element: { sharedId } } },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ])
  }
  return {
    downloads,
    open: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    click,
    submit: async (xpath) => void (await Promise.all([next('browsingContext.load'), click(xpath)])),
    async type(xpath, text) {
      await click(xpath)
      await perform(
        'key',
        [...text].flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value }))),
      )
    },
    textOf: (xpath) => call(xpath, '(element) => element.innerText'),
    async close() {
      close()
      await endProcess(browser)
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** Connects to a session. `send` rejects if the browser returns an error; `next` waits for the next event of a kind. */
async function connect(url: string) {
  const socket = new WebSocket(url)
  const answers = new Map<number, (message: Message) => void>()
  const events = new Map<string, () => void>()
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    if (message.id !== undefined) answers.get(message.id)?.(message)
    if (message.method !== undefined) events.get(message.method)?.()
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  let sent = 0
  return {
    async send<Result>(method: string, params: object): Promise<Result> {
      const id = (sent += 1)
      const answer = new Promise<Message>((resolve) => answers.set(id, resolve))
      socket.send(JSON.stringify({ id, method, params }))
      const message = await answer
      answers.delete(id)
      if (message.type === 'error') throw new Error(`${method}: ${JSON.stringify(message)}`)
      return message.result as Result
    },
    next: (method: string): Promise<void> => new Promise((resolve) => events.set(method, resolve)),
    close: () => socket.close(),
  }
}
