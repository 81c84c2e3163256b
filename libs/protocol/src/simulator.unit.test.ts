import { expect, it } from '@jest/globals'
import { simulatedActOf, simulatorErrors } from './simulator.js'

it.each([
  ['signs@simulator.test', { act: 'signs', afterSeconds: 0 }],
  ['Signs+Buyer@Simulator.TEST', { act: 'signs', afterSeconds: 0 }],
  ['signs-after-60s+b@simulator.test', { act: 'signs', afterSeconds: 60 }],
  ['signs-after-600s@simulator.test', { act: 'signs', afterSeconds: 600 }],
  ['signs-after-601s@simulator.test', 'unknown'],
  ['declines@simulator.test', { act: 'declines' }],
  ['refuses@simulator.test', { act: 'refuses' }],
  ['never+1@simulator.test', { act: 'never' }],
  ['sings@simulator.test', 'unknown'],
  ['signs@simulator.test.example', undefined],
  ['signs@mail.simulator.test', undefined],
])('the party of %s acts as its name says [D63]', (email, act) => {
  expect(simulatedActOf(email)).toEqual(act)
})

it('such an address is refused with a production key, and one without a meaning in the sandbox [D63]', () => {
  const body = {
    parties: ['signs@simulator.test', 'noor@example.com', 'sings@simulator.test'].map((email) => ({ email })),
  }
  expect(simulatorErrors(body, 'production').map(({ path }) => path)).toEqual(['parties[0].email', 'parties[2].email'])
  expect(simulatorErrors(body, 'sandbox').map(({ path }) => path)).toEqual(['parties[2].email'])
  for (const hostile of [{}, { parties: [null, 7, { email: 7 }] }, { parties: 'x' }])
    expect(simulatorErrors(hostile, 'production')).toEqual([])
})
