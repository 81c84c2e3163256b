// `paraph doctor`: checks an installation from this machine and says on one page what to do. Reads and changes nothing else.
import type { Command } from '../command.js'
import { collect } from '../doctor/collect/collect.js'
import { judge } from '../doctor/judge/judge.js'
import { countLevels, formatPage } from '../doctor/page.js'
import { findInstallation } from '../doctor/source/source.js'

export const doctorCommand: Command = {
  name: 'doctor',
  purpose:
    'Checks settings, databases, Kafka, the SMTP server, certificates and clocks, and says what to do. Checks the local stack, or the service in whose container it runs, or the installation in FILE: what `kubectl get deployments,secrets -o json` or `docker compose config --format json` prints, or - for standard input. Prints no secret and no address. Exit code 1 if something is broken.',
  options: { from: { value: 'FILE|-' } },
  runAlone: async (config, { from }) => {
    const startedMs = performance.now()
    const findings = judge(await collect(await findInstallation(config, from)), new Date())
    const tookMs = Math.round(performance.now() - startedMs)
    const counts = countLevels(findings)
    return { answer: { ...counts, tookMs, findings }, text: formatPage(findings, tookMs), isWell: counts.broken === 0 }
  },
}
