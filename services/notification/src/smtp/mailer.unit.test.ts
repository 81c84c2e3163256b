import { expect, it } from '@jest/globals'
import { outcomeOf } from './mailer.js'

it.each([
  [{ code: 'ESOCKET', command: 'CONN' }, 'relay_away'],
  [{ code: 'EAUTH', command: 'AUTH PLAIN', responseCode: 535 }, 'relay_away'],
  [{ code: 'EPROTOCOL', command: 'CONN', responseCode: 554 }, 'relay_away'],
  [{ code: 'ETIMEDOUT', command: 'CONN', timeoutType: 'CONNECT_TIMEOUT' }, 'relay_away'],
  [{ code: 'ETIMEDOUT', command: 'CONN', timeoutType: 'SOCKET_TIMEOUT' }, 'silent'],
  [{ code: 'ECONNECTION', command: 'CONN', responseCode: 421 }, 'relay_away'],
  [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 421 }, 'relay_away'],
  [{ code: 'EMESSAGE', command: 'DATA', responseCode: 421 }, 'relay_away'],
  [{ code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 452 }, 'relay_away'],
  [{ code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 553 }, 'relay_away'],
  [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 530 }, 'relay_away'],
  [{ code: 'ECONNECTION' }, 'relay_away'],
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
