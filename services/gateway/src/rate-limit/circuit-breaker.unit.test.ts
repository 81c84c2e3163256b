import { expect, it } from '@jest/globals'
import { createBreaker } from './circuit-breaker.js'

function newBreaker() {
  const clock = { ms: 0 }
  const changes: boolean[] = []
  const breaker = createBreaker({
    failuresMax: 3,
    openMs: 1_000,
    onChange: (isOpen) => changes.push(isOpen),
    nowMs: () => clock.ms,
  })
  /** Sends a request that fails 25 ms later. */
  const fail = () => {
    expect(breaker.allows()).toBe(true)
    const askedAtMs = clock.ms + 1
    clock.ms += 25
    breaker.failed(askedAtMs)
  }
  return { clock, changes, breaker, fail }
}

it('the circuit breaker opens after three successive failures, and reports it once', () => {
  const { breaker, changes, fail } = newBreaker()
  fail()
  fail()
  breaker.succeeded()
  fail()
  fail()
  expect(changes).toEqual([])
  fail()
  expect([changes, breaker.allows()]).toEqual([[true], false])
})

it('the circuit breaker counts concurrent failures as one', () => {
  const { breaker, clock, changes } = newBreaker()
  clock.ms = 25
  for (let call = 0; call < 100; call += 1) breaker.failed(1)
  expect([changes, breaker.allows()]).toEqual([[], true])
})

it('the circuit breaker allows one probe after its pause; the outcome closes or reopens it', () => {
  const { breaker, clock, changes, fail } = newBreaker()
  for (let call = 0; call < 3; call += 1) fail()
  clock.ms += 999
  expect(breaker.allows()).toBe(false)
  clock.ms += 1
  fail()
  expect(breaker.allows()).toBe(false)
  clock.ms += 1_000
  expect([breaker.allows(), breaker.allows()]).toEqual([true, false])
  breaker.succeeded()
  expect([changes, breaker.allows()]).toEqual([[true, false], true])
})

it('the circuit breaker ignores the answers to calls from before it opened', () => {
  const { breaker, changes, fail } = newBreaker()
  for (let call = 0; call < 3; call += 1) fail()
  breaker.succeeded()
  expect([changes, breaker.allows()]).toEqual([[true], false])
})
