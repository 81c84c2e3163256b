import { expect, it } from '@jest/globals'
import { readSmtpUrl } from './smtp-url.js'

it('an SMTP URL requires TLS unless the server is on this machine or the URL disables it', () => {
  expect(readSmtpUrl('smtp://relay.example:25')).toMatchObject({ port: 25, secure: false, tls: 'required' })
  expect(readSmtpUrl('smtp://relay.example')).toMatchObject({ port: 587, tls: 'required' })
  expect(readSmtpUrl('smtps://relay.example')).toMatchObject({ port: 465, secure: true, tls: 'required' })
  expect(readSmtpUrl('smtp://mailpit:1025?tls=off')).toMatchObject({ tls: 'off' })
  for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
    expect(readSmtpUrl(`smtp://${host}:1025`)).toMatchObject({ tls: 'off' })
  }
})

it('an SMTP URL may contain credentials, and errors never repeat them', () => {
  expect(readSmtpUrl('smtp://us%40er:p%2Fw@relay.example').auth).toEqual({ user: 'us@er', pass: 'p/w' })
  expect(() => readSmtpUrl('http://user:secret@relay.example')).toThrow(/^must be smtp:/)
})
