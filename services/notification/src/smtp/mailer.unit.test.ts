import { expect, it } from '@jest/globals'
import { outcomeOf } from './mailer.js'

it.each([
  [{ code: 'ESOCKET', command: 'CONN' }, 'unavailable'],
  [{ code: 'EAUTH', command: 'AUTH PLAIN', responseCode: 535 }, 'unavailable'],
  [{ code: 'EPROTOCOL', command: 'CONN', responseCode: 554 }, 'unavailable'],
  [{ code: 'ETIMEDOUT', command: 'CONN', timeoutType: 'CONNECT_TIMEOUT' }, 'unavailable'],
  [{ code: 'ETIMEDOUT', command: 'CONN', timeoutType: 'SOCKET_TIMEOUT' }, 'silent'],
  [{ code: 'ECONNECTION', command: 'CONN', responseCode: 421 }, 'unavailable'],
  [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 421 }, 'unavailable'],
  [{ code: 'EMESSAGE', command: 'DATA', responseCode: 421 }, 'unavailable'],
  [{ code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 452 }, 'unavailable'],
  [{ code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 553 }, 'unavailable'],
  [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 530 }, 'unavailable'],
  [{ code: 'ECONNECTION' }, 'unavailable'],
  [{ code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 552 }, 'refused'],
  [{ code: 'EMESSAGE', command: 'MAIL FROM' }, 'refused'],
  [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 450 }, 'retry'],
  [{ code: 'EMESSAGE', command: 'DATA', responseCode: 451 }, 'retry'],
  [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 503 }, 'retry'],
  [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550 }, 'refused'],
  [{ code: 'EMESSAGE', command: 'DATA', responseCode: 554 }, 'blocked'],
  [{ code: 'EMESSAGE', command: 'DATA', responseCode: 552 }, 'refused'],
  [{ code: 'EENVELOPE', command: 'API' }, 'refused'],
])('the error %o is classified as %s [F7]', (failure, outcome) => {
  expect(outcomeOf(Object.assign(new Error('x'), failure)).outcome).toBe(outcome)
})

it.each([
  ['550 5.1.1 <jane@example.test>: unknown', 'refused'],
  ['550-5.1.1 The account does not exist', 'refused'],
  ['550 5.1.10 null MX', 'refused'],
  ['553 5.1.3 bad address', 'refused'],
  ['550 5.2.1 mailbox disabled', 'refused'],
  ['552 5.3.4 message too big', 'refused'],
  ['554 5.6.0 content', 'refused'],
  ['550 no such user', 'refused'],
  ['550 5.0.0 no such user', 'refused'],
  ['550 5.1.7 sender unknown', 'blocked'],
  ['550 5.1.8 sender domain unknown', 'blocked'],
  ['554 5.7.1 Relay access denied', 'blocked'],
  ['550 5.7.606 banned sending IP', 'blocked'],
  ['550 5.4.1 access denied', 'blocked'],
  ['554 5.3.2 system not accepting messages', 'blocked'],
  ['501 5.5.2 syntax', 'blocked'],
  ['554 Relay access denied', 'blocked'],
  ['571 blocked', 'blocked'],
])('the answer "%s" to RCPT TO is classified as %s [F7, F34, P23]', (response, outcome) => {
  const failure = { code: 'EENVELOPE', command: 'RCPT TO', response, responseCode: Number(response.slice(0, 3)) }
  expect(outcomeOf(Object.assign(new Error('x'), failure)).outcome).toBe(outcome)
})

it('the recorded reason holds the codes of an answer and nothing else of it [F7, P23]', () => {
  const failure = { command: 'RCPT TO', response: '550 5.1.1 <jane@example.test>: unknown', responseCode: 550 }
  expect(outcomeOf(failure)).toEqual({ outcome: 'refused', reason: 'smtp 550 5.1.1' })
})
