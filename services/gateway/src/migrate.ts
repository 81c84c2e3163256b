// Applies the migrations and ends: a job of its own, as the owner role.
import { runMigrations } from '@paraph/database/run-migrations'
import { migrations } from './migrations.js'

await runMigrations('DATABASE_OWNER_URL', migrations)
