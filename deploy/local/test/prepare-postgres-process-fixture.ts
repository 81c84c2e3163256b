// Prepares the server's folder that its argument names, as a start does, and prints what a start announces. A test kills this process
// meanwhile. [R8]
import { preparePostgres } from '../src/postgres.js'

await preparePostgres({
  folder: process.argv[2]!,
  port: 1,
  password: 'secret',
  url: 'postgres://127.0.0.1:1',
  announce: (sentence) => void process.stdout.write(`${sentence}\n`),
})
