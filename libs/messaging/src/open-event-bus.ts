// Chooses the bus by the settings. [D50]
import type { Logger } from '@paraph/telemetry/logger'
import { kafkaConnectionOf, type BusSettings } from './bus-settings.js'
import type { EventBus } from './event-bus.js'
import { createKafkaEventBus } from './kafka/event-bus.js'
import { createPostgresEventBus } from './postgres/event-bus.js'

/**
 * The bus that the settings choose. Connects on first use, so a service starts while its bus is unavailable. [H6]
 * @param service the name of the client in the brokers' logs
 */
export function openEventBus(service: string, settings: BusSettings, logger: Logger): EventBus {
  return settings.EVENT_BUS === 'kafka'
    ? createKafkaEventBus({ connection: kafkaConnectionOf(settings, `paraph-${service}`), logger })
    : createPostgresEventBus({ url: settings.BUS_DATABASE_URL, logger })
}
