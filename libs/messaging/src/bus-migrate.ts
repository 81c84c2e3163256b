// Applies the migrations of the bus and exits: a job of its own, as `bus_owner`. Requires the services' runtime roles.
import { runMigrations } from '@paraph/database/run-migrations'
import { busMigrations } from './postgres/bus-migrations.js'

await runMigrations('BUS_OWNER_URL', busMigrations)
