import { expect, it } from '@jest/globals'
import { browserNameOf } from './browser-name.js'

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0', 'Firefox 144 on Linux'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36`, 'Chrome 141 on Windows'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`,
    'Edge 141 on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    'Safari 26 on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
    'Safari 26 on iPhone',
  ],
  [`Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/141.0.0.0 Mobile Safari/537.36`, 'Chrome 141 on Android'],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet 28 on Android',
  ],
  ['curl/8.14.1', 'curl/8.14.1'],
  ['', 'Unknown browser'],
])('%s is named as people know it', (userAgent, name) => {
  expect(browserNameOf(userAgent, 'en')).toBe(name)
})
