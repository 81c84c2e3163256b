import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { SAMPLE_LOGO } from '@paraph/testing/test/logo-fixture'
import { sendBrandFile } from './brand-files.js'
import type { Brands } from './brands.js'

const { sha256, bytes } = SAMPLE_LOGO
const brands = {
  logo: (asked: string) => Promise.resolve(asked === sha256 ? { type: 'png', bytes } : undefined),
} as unknown as Brands

let server: ReturnType<Koa['listen']>
let origin: string
beforeAll(async () => {
  const app = new Koa()
  app.use(async (ctx) => {
    if (!(await sendBrandFile(ctx, brands))) ctx.status = 404
  })
  server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

const get = (file: string) => fetch(`${origin}/assets/brand/${file}`)

it('a logo is served under its hash, to other sites too, because web mail shows it [D59]', async () => {
  const answer = await get(`${sha256}.png`)
  expect(answer.headers.get('content-type')).toBe('image/png')
  expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes)
})

it('the style sheet of an accent that holds is served', async () => {
  const answer = await get('1a5fb4.css')
  expect(answer.headers.get('content-type')).toBe('text/css; charset=utf-8')
  expect(await answer.text()).toContain('--accent:#1a5fb4')
})

it.each([
  ['a logo that no account shows', `${'a'.repeat(64)}.png`],
  ['another type than the logo has', `${sha256}.jpeg`],
  ['an accent without contrast', 'ffcc00.css'],
  ['a colour that is none', '1a5fb4%7D.css'],
  ['a path beyond the folder', `..%2F${sha256}.png`],
])('%s is not found [D59]', async (_, file) => {
  expect((await get(file)).status).toBe(404)
})
