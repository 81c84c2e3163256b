// Applies the migrations as the owner role, then exits; a job of its own.
import { runMigrations } from '@paraph/database/run-migrations'
import { migrations } from './migrations.js'

await runMigrations('DATABASE_OWNER_URL', migrations)
