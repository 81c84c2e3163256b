import Koa from 'koa'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { DomainError } from '@paraph/protocol/errors'
import { FORM_BYTES_MAX, parseForm, readForm, wholeNumberOf } from './form-body.js'

const refusal = (code: string) => expect.objectContaining({ code })
const errorOf = (body: string) => {
  try {
    return parseForm(body)
  } catch (error) {
    return error
  }
}

describe('the parser of a posted form [D14, ceremony: headers]', () => {
  it('reads the body that a browser sends', () => {
    expect([...parseForm('email=jane%40example.com&typedName=Zo%C3%AB+Roe&consent=')]).toEqual([
      ['email', 'jane@example.com'],
      ['typedName', 'Zoë Roe'],
      ['consent', ''],
    ])
    expect(parseForm('').size).toBe(0)
  })

  it.each([
    ['NUL', 'a=%00'],
    ['half a surrogate pair', 'a=%ED%A0%80'],
    ['bytes that are not UTF-8', 'a=%FF'],
    ['broken percent-encoding', 'a=%2'],
    ['a field sent twice', 'a=1&a=2'],
    ['more than 50 fields', Array.from({ length: 51 }, (_, index) => `f${index}=`).join('&')],
  ])('refuses %s', (_, body) => {
    expect(errorOf(body)).toEqual(refusal('invalid_request'))
  })

  it.each(['', ' ', ' 1', '1 ', '+1', '-1', '1.0', '1e1', '0x1', '١', '1'.repeat(16), undefined, ['1']])(
    'takes %j for no number: only digits count [ceremony: six shapes]',
    (value) => {
      expect(wholeNumberOf(value)).toBeNaN()
    },
  )

  it('reads digits as a whole number', () => {
    expect(['0', '07', '49', '9'.repeat(15)].map(wholeNumberOf)).toEqual([0, 7, 49, 999_999_999_999_999])
  })

  describe('in an HTTP server', () => {
    const app = new Koa().use(async (ctx) => {
      try {
        ctx.body = Object.fromEntries(await readForm(ctx))
      } catch (error) {
        if (!(error instanceof DomainError)) throw error
        ctx.status = error.status
        ctx.set(error.headers)
        ctx.body = { code: error.code }
      }
    })
    let server: ReturnType<typeof app.listen>
    let url = ''
    beforeAll(() => {
      server = app.listen(0)
      url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`
    })
    afterAll(() => void server.close())

    const post = (body: BodyInit, headers: Record<string, string> = {}) =>
      fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers } })

    it('accepts 64 KiB, and answers 413 for one byte more', async () => {
      const fits = 'a='.padEnd(FORM_BYTES_MAX, 'x')
      expect((await post(fits)).status).toBe(200)
      const refused = await post(`${fits}x`)
      expect(refused.status).toBe(413)
      expect(refused.headers.get('connection')).toBe('close')
    })

    it('answers 415 for JSON and for a compressed body', async () => {
      expect((await post('{}', { 'content-type': 'application/json' })).status).toBe(415)
      expect((await post('a=1', { 'content-encoding': 'gzip' })).status).toBe(415)
    })
  })
})
