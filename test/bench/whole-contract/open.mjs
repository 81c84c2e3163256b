// The product, its people and an SMTP server for benchmarks of whole contracts: an empty, durable Postgres and one process of each service.
import { openStage } from '../pipeline/stage.mjs'
import { startMailServer } from './mail-server.mjs'
import { openPeople } from './people.mjs'
import { openReadings, SERVICES } from './readings.mjs'

/**
 * Runs `measure({ mail, readings, people, pids, ports })`, and stops everything after it.
 * @param options those of `openPeople`
 */
export async function withWholeContracts(options, measure) {
  const stage = await openStage()
  const mail = await startMailServer(stage.ports.smtp)
  const readings = await openReadings(stage)
  try {
    const settings = {
      LOG_LEVEL: 'warn',
      // Lets each visitor have its own client address.
      TRUSTED_PROXY_HOPS: '1',
      WINDOW_STORE: 'postgres',
    }
    const services = await Promise.all(SERVICES.map((service) => stage.start(service, settings)))
    const pids = Object.fromEntries(SERVICES.map((service, at) => [service, services[at].pid]))
    const people = await openPeople(stage, mail, options)
    await measure({ mail, readings, people, pids, ports: stage.ports })
    await people.close()
  } finally {
    await readings.close()
    await stage.stop()
    mail.stop()
  }
}
