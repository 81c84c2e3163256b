// Applies the bus's migrations and ends: a job of its own, as `bus_owner`. The services' runtime roles exist before it runs.
import { runMigrations } from '@paraph/database/run-migrations'
import { busMigrations } from './bus-migrations.js'

await runMigrations('BUS_OWNER_URL', busMigrations)
