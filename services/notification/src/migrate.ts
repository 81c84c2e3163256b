// Applies the migrations as the owner role, in a job of its own, and exits.
import { runMigrations } from '@paraph/database/run-migrations'
import { migrations } from './migrations.js'

await runMigrations('DATABASE_OWNER_URL', migrations)
