// Entry point of `npm run -s paraph -- …`: the operator's command line, from the build of the running stack. [local-stack]
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

if (existsSync(fileURLToPath(new URL('dist/paraph.js', import.meta.url)))) {
  const { main } = await import('./dist/paraph.js')
  const { shutDownTracing } = await import('@paraph/telemetry/tracing-facade')
  process.exitCode = await main(process.argv.slice(2))
  // Exports the metrics: this process ends before the first export interval.
  await shutDownTracing()
} else {
  process.stderr.write('Paraph is not built yet. Run npm start first, then this command in a second terminal.\n')
  process.exitCode = 1
}
