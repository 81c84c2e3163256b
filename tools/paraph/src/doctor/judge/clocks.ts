// Judges the clocks against the database's clock, which decides everything that is stored [D20]. Pure.
import type { Facts, Offset } from '../facts.js'
import { broken, look, ok, type Finding } from '../finding.js'

/** A difference that people see in logs and traces. */
const LOOK_MS = 2_000
/** Services correct their clock by the database's for tokens, but a wrong clock breaks TLS and the order of logs. */
const BROKEN_MS = 60_000

interface Clock extends Offset {
  name: string
}

export function judgeClocks({ logins, services }: Pick<Facts, 'logins' | 'services'>): Finding[] {
  const databases = logins.flatMap(({ database, result }): Clock[] =>
    'failure' in result ? [] : [{ name: `database ${database}`, ...result.clock }],
  )
  // The most precise reading; all databases are usually on one server.
  const [reference] = databases.toSorted((one, other) => one.errorMs - other.errorMs)
  if (reference === undefined) return []
  const others: Clock[] = [
    { name: 'this machine', offsetMs: 0, errorMs: 0 },
    ...databases,
    ...services.flatMap(({ service, result }) =>
      'failure' in result || !result.clock ? [] : [{ name: `service ${service}`, ...result.clock }],
    ),
  ]
  const findings = others.flatMap((clock) => judgeOne(clock, reference))
  const distinct = [...new Map(findings.map((finding) => [finding.found, finding])).values()]
  return distinct.length > 0 ? distinct : [ok('clocks', `${others.length} clocks agree with the database's`)]
}

function judgeOne(clock: Clock, reference: Clock): Finding[] {
  const difference = clock.offsetMs - reference.offsetMs
  const certainMs = Math.abs(difference) - clock.errorMs - reference.errorMs
  if (certainMs < LOOK_MS) return []
  const found = `${clock.name} is ${Math.round(Math.abs(difference) / 1_000)} s ${difference > 0 ? 'ahead of' : 'behind'} the database`
  const advice = {
    remedy: 'Start a time service (NTP) on both machines and wait until they agree.',
    page: 'clocks',
  } as const
  return [certainMs < BROKEN_MS ? look('clocks', found, advice) : broken('clocks', found, advice)]
}
