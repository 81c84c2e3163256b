// Names a browser and its system by the user agent, for people who look for a session that is not theirs.
import type { Locale } from '@paraph/web/locale'
import { accountMessages } from './messages.js'

/** The first match names the browser: all but Firefox also claim to be another one. */
const BROWSERS: readonly (readonly [name: string, version: RegExp])[] = [
  ['Edge', /\bEdg(?:A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Headless)?(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)\S* .*\bSafari\//],
]

/** The first match names the system: Android also says Linux, and an iPhone says Mac OS X. */
const SYSTEMS: readonly (readonly [name: string, sign: RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]

/** Such as `Firefox 144 on Linux`; the user agent itself if its form is unknown. */
export function browserNameOf(userAgent: string, locale: Locale): string {
  const text = accountMessages(locale)
  const system = SYSTEMS.find(([, sign]) => sign.test(userAgent))?.[0]
  for (const [name, version] of BROWSERS) {
    const number = version.exec(userAgent)?.[1]
    if (number !== undefined && system !== undefined) return text.browserOn(`${name} ${number}`, system)
  }
  return userAgent === '' ? text.unknownBrowser : userAgent
}
