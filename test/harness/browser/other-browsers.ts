// The Firefox and the WebKit of Debian, with the actions of a person. Chromium, which npm installs, is in browser.ts.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../until.js'
import { openFirefoxDriver } from './firefox-driver.js'
import { openWebKitDriver } from './webkit-driver.js'

/** One window of a browser. Elements are found by XPath; each action waits for its element. */
export interface Driver {
  /** The folder in which the browser stores files. */
  downloads: string
  open(url: string): Promise<void>
  click(xpath: string): Promise<void>
  /** Clicks, and waits for the next page. */
  submit(xpath: string): Promise<void>
  type(xpath: string, text: string): Promise<void>
  textOf(xpath: string): Promise<string>
  close(): Promise<void>
}

/** Opens a window, in which fields are named by their labels, buttons by their text, and links by the end of their address. */
async function openWindow(launch: () => Promise<Driver>) {
  const driver = await launch()
  const field = (label: string) => `//*[@id = //label[starts-with(normalize-space(), "${label}")]/@for]`
  const link = (path: string) => `//main//a[substring(@href, string-length(@href) - ${path.length - 1}) = "${path}"]`
  return {
    open: driver.open,
    fill: (label: string, text: string) => driver.type(field(label), text),
    tick: (label: string) => driver.click(field(label)),
    press: (button: string) => driver.submit(`//button[normalize-space() = "${button}"]`),
    heading: () => driver.textOf('//h1'),
    /** The text of the page without header and footer. */
    text: () => driver.textOf('//main'),
    /** Clicks a link to a file. @returns the file, once the browser has stored it */
    async download(path: string): Promise<Buffer> {
      await driver.click(link(path))
      return until('a download', async () => {
        const names = (await readdir(driver.downloads).catch(() => [])).filter((name) => !name.startsWith('.'))
        // Firefox and WebKit give a file another ending until it is complete. Before that, Firefox reserves the name with an empty file.
        if (names.length === 0 || names.some((name) => /\.(part|wkdownload)$/.test(name))) return undefined
        // The name that was listed is gone when the browser has renamed the file meanwhile.
        const content = await readFile(join(driver.downloads, names[0]!)).catch(() => undefined)
        return content?.length ? content : undefined
      })
    },
    close: driver.close,
  }
}

export type Window = Awaited<ReturnType<typeof openWindow>>

export const openFirefox = (): Promise<Window> => openWindow(openFirefoxDriver)
export const openWebKit = (): Promise<Window> => openWindow(openWebKitDriver)

export async function endProcess(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}
