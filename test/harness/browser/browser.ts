// A real browser: Chromium from npm, driven by playwright.
import chromium from '@sparticuz/chromium'
import { chromium as playwright, type Browser } from 'playwright-core'

/**
 * Default arguments of @sparticuz/chromium that a test must not use. With a single process, the browser exits when its first context
 * closes. Without web security, a test proves nothing about the security of a page. The software-emulated graphics card needs four times
 * the CPU time.
 */
const UNWANTED = new Set([
  '--single-process',
  '--no-zygote',
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--in-process-gpu',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
])

/** `more`: further arguments of the browser. */
export async function openBrowser(more: readonly string[] = []): Promise<Browser> {
  const args = [...chromium.args.filter((argument) => !UNWANTED.has(argument)), '--disable-gpu', ...more]
  return playwright.launch({ executablePath: await chromium.executablePath(), args, headless: true })
}
