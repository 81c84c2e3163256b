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
  [{ code: 'EMESSAGE', command: 'DATA', responseCode: 554 }, 'refused'],
  [{ code: 'EENVELOPE', command: 'API' }, 'refused'],
])('the error %o is classified as %s [F7]', (failure, outcome) => {
  expect(outcomeOf(Object.assign(new Error('x'), failure)).outcome).toBe(outcome)
})
