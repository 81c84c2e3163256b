// Entry point of the migration job: applies the migrations as the owner role and exits.
import { runMigrations } from '@paraph/database/run-migrations'
import { migrations } from './migrations.js'

await runMigrations('DATABASE_OWNER_URL', migrations)
