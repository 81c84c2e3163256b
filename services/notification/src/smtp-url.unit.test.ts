import { expect, it } from 'vitest'
import { outcomeOf } from './mailer.js'
import { readSmtpUrl } from './smtp-url.js'

it('requires TLS unless the relay is this machine or the URL says otherwise [D.5]', () => {
  expect(readSmtpUrl('smtp://relay.example:25')).toMatchObject({ port: 25, secure: false, tls: 'required' })
  expect(readSmtpUrl('smtp://relay.example')).toMatchObject({ port: 587, tls: 'required' })
  expect(readSmtpUrl('smtps://relay.example')).toMatchObject({ port: 465, secure: true, tls: 'required' })
  expect(readSmtpUrl('smtp://mailpit:1025?tls=off')).toMatchObject({ tls: 'off' })
  for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
    expect(readSmtpUrl(`smtp://${host}:1025`)).toMatchObject({ tls: 'off' })
  }
})

it('reads credentials and never repeats them in a fault', () => {
  expect(readSmtpUrl('smtp://us%40er:p%2Fw@relay.example').auth).toEqual({ user: 'us@er', pass: 'p/w' })
  expect(() => readSmtpUrl('http://user:secret@relay.example')).toThrow(/^must be smtp:/)
})

it.each([
  [{ code: 'ESOCKET', command: 'CONN' }, 'relay_away'],
  [{ code: 'EAUTH', command: 'AUTH PLAIN', responseCode: 535 }, 'relay_away'],
  [{ code: 'EPROTOCOL', command: 'CONN', responseCode: 554 }, 'relay_away'],
  [{ code: 'ETIMEDOUT', command: 'CONN', timeoutType: 'CONNECT_TIMEOUT' }, 'relay_away'],
  [{ code: 'ETIMEDOUT', command: 'CONN', timeoutType: 'SOCKET_TIMEOUT' }, 'retry'],
  [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 450 }, 'retry'],
  [{ code: 'EMESSAGE', command: 'DATA', responseCode: 451 }, 'retry'],
  [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 503 }, 'retry'],
  [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550 }, 'refused'],
  [{ code: 'EMESSAGE', command: 'DATA', responseCode: 554 }, 'refused'],
  [{ code: 'EENVELOPE', command: 'API' }, 'refused'],
])('takes %o for: %s [F7]', (failure, outcome) => {
  expect(outcomeOf(Object.assign(new Error('x'), failure)).outcome).toBe(outcome)
})
