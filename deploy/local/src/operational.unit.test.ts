import { expect, it } from '@jest/globals'
import { becomeOperational } from './operational.js'

/** A gateway that says `degraded` as often as `times`. */
const gatewayAfter = (times: number) => {
  let asked = 0
  return {
    asked: () => asked,
    status: {
      query: async () => {
        asked += 1
        return { status: asked > times ? ('operational' as const) : ('degraded' as const) }
      },
    },
  }
}
const { signal } = new AbortController()

it('a start waits until the gateway says operational [local-stack: What a start does]', async () => {
  const gateway = gatewayAfter(3)
  await becomeOperational(gateway, signal)
  expect(gateway.asked()).toBe(4)
})

it('a start goes on if the gateway stays degraded, and ends if it is stopped meanwhile', async () => {
  await becomeOperational(gatewayAfter(Infinity), signal, 100)
  await expect(becomeOperational(gatewayAfter(Infinity), AbortSignal.abort())).rejects.toThrow('aborted')
})
