import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from '@jest/globals'
import { createLogger } from '@paraph/telemetry/logger'
import { waitFor } from '@paraph/testing/wait-for'
import { createReadiness } from './readiness.js'

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

/** A service whose readiness the test decides. */
async function startService() {
  const service = { isReady: false, polls: 0, url: '' }
  const server = createServer((_, response) => {
    service.polls += 1
    response.statusCode = service.isReady ? 200 : 503
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  stops.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return service
}

it('after a start the gateway sees within a moment that the other services have started too [D2]', async () => {
  const [first, second] = [await startService(), await startService()]
  const readiness = createReadiness([first.url, second.url], createLogger('gateway', 'silent'))
  stops.push(readiness.stop)
  readiness.start()
  first.isReady = true
  await waitFor(() => expect(readiness.hasPolled()).toBe(true))
  expect(readiness.allReady()).toBe(false)
  second.isReady = true
  // Less than the two seconds between two polls of a gateway that has seen all services.
  await waitFor(() => expect(readiness.allReady()).toBe(true), { timeout: 1_000, interval: 10 })
  const polls = second.polls
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(second.polls).toBe(polls)
})
