// A real browser: Chromium from npm, driven by playwright.
import chromium from '@sparticuz/chromium'
import { chromium as playwright, type Browser } from 'playwright-core'

/**
 * Default arguments for serverless platforms that a test must not use: with one process the browser exits with its first
 * context, and a browser without web security proves nothing about the security of a page. A software-emulated graphics card costs
 * four times the CPU for pages that do not need one.
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
