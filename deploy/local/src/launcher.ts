// Runs the whole product on one machine: opens the data folder, starts Postgres, migrates, starts mailbox and services, and creates the
// demo account. Stops everything in reverse order. The parts are in other files. [local-stack]
import { once } from 'node:events'
import { join, relative } from 'node:path'
import { SERVICES, type ServiceName } from '@paraph/protocol/services'
import { VERSION } from '@paraph/protocol/version'
import { readConfig, ROOT } from '@paraph/paraph/config'
import { migrateDatabases, provisionDatabases } from './databases.js'
import { openDataFolder } from '@paraph/paraph/installation/data-folder'
import { openDemoAccount } from './demo-account.js'
import { superuserUrl } from '@paraph/paraph/installation/environment'
import { startMailbox } from '@paraph/mailbox/mailbox'
import { createOperatorClient } from '@paraph/paraph/operator-client'
import { choosePorts } from '@paraph/paraph/installation/ports'
import { preparePostgres } from './postgres.js'
import { openProcessLog, postgresLevel } from './process-log.js'
import { createProgress } from './progress.js'
import { UserError } from '@paraph/config/refusal'
import { openSecrets } from '@paraph/paraph/installation/secrets'
import { endLeftovers, serviceProcess } from './service-processes.js'
import { describeAddresses, operatorAccess, removeStackFiles, writeStackFiles } from './stack-file.js'
import { supervise, type ProcessSpec, type Supervised } from './supervisor.js'
import { formatTable } from '@paraph/paraph/table'
import { applyTopicsOf } from '@paraph/paraph/commands/topics'

/** The services stop group by group: callers before the services that they call. */
const STOP_ORDER: readonly (readonly ServiceName[])[] = [['gateway'], ['signing'], ['contract', 'notification']]

/** Steps of the stop, run in reverse order. */
type Undo = (() => Promise<unknown>)[]

/**
 * Starts the stack, runs it until `signal` aborts, then stops it.
 * @returns the exit code: 0 after a requested stop, 1 with a sentence on standard error when it could not start
 */
export async function launch(signal: AbortSignal): Promise<number> {
  const undo: Undo = []
  const progress = createProgress()
  try {
    await start(signal, progress, undo)
    if (!signal.aborted) await once(signal, 'abort')
    return 0
  } catch (error) {
    if (signal.aborted) return 0
    if (!(error instanceof UserError)) throw error
    process.stderr.write(`${error.message}\n`)
    return 1
  } finally {
    if (signal.aborted && undo.length > 0) progress.say('Stopping')
    // A failed step must not skip the others.
    for (const step of undo.reverse()) {
      await step().catch((error: unknown) => process.stderr.write(`${String(error)}\n`))
    }
  }
}

async function start(signal: AbortSignal, progress: ReturnType<typeof createProgress>, undo: Undo): Promise<void> {
  const { dataFolder, inherited, ...config } = readConfig()
  const { paths, release } = await openDataFolder(dataFolder, VERSION)
  undo.push(release)
  if ((await endLeftovers(dataFolder)) > 0) progress.say('Stopped processes left by an earlier start.')
  const ports = await choosePorts(paths.ports, { gateway: config.port, mailbox: config.mailboxPort })
  const secrets = await openSecrets(paths.secrets)
  const basis = { ports, secrets, eventBus: config.broker.EVENT_BUS }

  // During a stop, the services log broken connections, which are expected.
  const show = (line: string) => {
    if (!signal.aborted) progress.say(line)
  }
  let onReplaced = () => Promise.resolve()
  const superviseLogged = (spec: ProcessSpec, levelOf?: (text: string) => string | undefined): Supervised => {
    const log = openProcessLog({ path: join(paths.logs, `${spec.name}.log`), service: spec.name, show, levelOf })
    undo.push(log.close)
    return supervise(spec, {
      log,
      announce: show,
      restartMsMax: config.restartMsMax,
      onReplaced: () =>
        void onReplaced().catch((error: unknown) => show(`Could not write stack.json: ${String(error)}`)),
    })
  }

  /** Prints the name of the next step. Throws if the stop has begun. */
  const step = (name: string) => {
    signal.throwIfAborted()
    progress.step(name)
  }

  step('Postgres')
  const [folder, url] = [paths.postgres, superuserUrl(basis)]
  const server = await preparePostgres({ folder, port: ports.postgres, password: secrets.superuserPassword, url })
  const postgres = superviseLogged(server, postgresLevel)
  undo.push(postgres.stop)
  signal.throwIfAborted()
  await postgres.start()

  step('Databases')
  await provisionDatabases(basis)
  signal.throwIfAborted()
  await migrateDatabases(basis)

  if (config.broker.EVENT_BUS === 'kafka') {
    step('Topics')
    await applyTopicsOf(config, { fewBrokers: 'fewer copies' })
  }

  step('Services')
  const mailbox = await startMailbox({ folder: paths.mail, smtpPort: ports.smtp })
  undo.push(mailbox.stop)
  const services = new Map(
    SERVICES.map((name) => [name, superviseLogged(serviceProcess(name, { ...basis, inherited, dataFolder }))]),
  )
  undo.push(async () => {
    for (const group of STOP_ORDER) await Promise.all(group.map(async (name) => services.get(name)?.stop()))
  })
  await Promise.all([...services.values()].map((service) => service.start()))

  step('Demo account')
  const operator = createOperatorClient({ ...operatorAccess(basis), operatorName: 'npm start' })
  const demo = await openDemoAccount(paths, operator).finally(() => operator.close())
  const addresses = describeAddresses(ports)
  const shownFolder = relative(ROOT, dataFolder).startsWith('..') ? dataFolder : relative(ROOT, dataFolder)
  await mailbox.show({ port: ports.mailbox, addresses, sandboxKey: demo.testKey, dataFolder: shownFolder })

  signal.throwIfAborted()
  onReplaced = () => writeStackFiles(paths, { ...basis, demo, pids: pidsOf([['postgres', postgres], ...services]) })
  undo.push(() => removeStackFiles(paths))
  await onReplaced()
  progress.done(
    formatTable([
      ...addresses.map(({ name, url, note }) => [name, url, note] as const),
      ['Sandbox key', demo.testKey],
      ['Data', shownFolder, 'Its stack.json has the live key too'],
    ]),
  )
}

function pidsOf(processes: Iterable<readonly [string, Supervised]>): Record<string, number | undefined> {
  return { launcher: process.pid, ...Object.fromEntries([...processes].map(([name, each]) => [name, each.pid()])) }
}
