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
import { becomeOperational } from './operational.js'
import { preparePostgres } from './postgres.js'
import { holdLines, openProcessLog, postgresLevel } from './process-log.js'
import { UserError } from '@paraph/config/refusal'
import { openSecrets } from '@paraph/paraph/installation/secrets'
import { endLeftovers, serviceProcess } from './service-processes.js'
import { describePages, operatorAccess, removeStackFiles, writeStackFiles } from './stack-file.js'
import { supervise, type ProcessSpec, type Supervised } from './supervisor.js'
import { applyTopicsOf } from '@paraph/paraph/commands/topics'
import { welcomeText } from './welcome.js'

/** The services stop group by group: callers before the services that they call. */
const STOP_ORDER: readonly (readonly ServiceName[])[] = [['gateway'], ['signing'], ['contract', 'notification']]

/** Steps of the stop, run in reverse order. */
type Undo = (() => Promise<unknown>)[]

/** The terminal output of progress.mjs. */
interface Progress {
  step: (name: string) => void
  say: (line: string) => void
  finish: () => void
  fail: () => void
}

/**
 * Starts the stack, runs it until `signal` aborts, then stops it.
 * @returns the exit code: 0 after a requested stop, 1 with a sentence on standard error when it could not start
 */
export async function launch(signal: AbortSignal, progress: Progress): Promise<number> {
  const undo: Undo = []
  const terminal = holdLines(progress.say)
  try {
    await start({ signal, progress, terminal, undo })
    if (!signal.aborted) await once(signal, 'abort')
    return 0
  } catch (error) {
    progress.fail()
    if (signal.aborted) return 0
    terminal.giveUp()
    if (!(error instanceof UserError)) throw error
    process.stderr.write(`${error.message}\n`)
    return 1
  } finally {
    if (signal.aborted && undo.length > 0) progress.say('Stopping Paraph.')
    // A failed step must not skip the others.
    for (const step of undo.reverse()) {
      await step().catch((error: unknown) => process.stderr.write(`${String(error)}\n`))
    }
  }
}

interface StartDeps {
  signal: AbortSignal
  progress: Progress
  terminal: ReturnType<typeof holdLines>
  undo: Undo
}

async function start({ signal, progress, terminal, undo }: StartDeps): Promise<void> {
  const { dataFolder, inherited, ...config } = readConfig()
  const { paths, release } = await openDataFolder(dataFolder, VERSION)
  undo.push(release)
  if ((await endLeftovers(dataFolder)) > 0) progress.say('Stopped processes left by an earlier start.')
  const ports = await choosePorts(paths.ports, { gateway: config.port, mailbox: config.mailboxPort })
  const secrets = await openSecrets(paths.secrets)
  const basis = { ports, secrets, eventBus: config.broker.EVENT_BUS }

  // During a stop, the services log broken connections, which are expected.
  const show = (line: string, isWarning?: boolean) => {
    if (!signal.aborted) terminal.show(line, isWarning)
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
  const { superuserPassword: password } = secrets
  const server = await preparePostgres({ folder, port: ports.postgres, password, url, announce: progress.say })
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
  const operator = createOperatorClient({ ...operatorAccess(basis), operatorName: 'npm start' })
  undo.push(operator.close)
  await becomeOperational(operator.gateway, signal)

  step('Demo account')
  const demo = await openDemoAccount(paths, operator)
  const pages = describePages(ports)
  const shownFolder = relative(ROOT, dataFolder).startsWith('..') ? dataFolder : relative(ROOT, dataFolder)
  await mailbox.show({
    port: ports.mailbox,
    ...pages,
    sandboxKey: demo.testKey,
    sandboxKeyPath: join(shownFolder, 'sandbox-key'),
  })

  signal.throwIfAborted()
  onReplaced = () => writeStackFiles(paths, { ...basis, demo, pids: pidsOf([['postgres', postgres], ...services]) })
  undo.push(() => removeStackFiles(paths))
  await onReplaced()
  progress.finish()
  terminal.begin()
  progress.say(welcomeText({ ...pages, sandboxKey: demo.testKey, columns: process.stdout.columns }))
}

function pidsOf(processes: Iterable<readonly [string, Supervised]>): Record<string, number | undefined> {
  return { launcher: process.pid, ...Object.fromEntries([...processes].map(([name, each]) => [name, each.pid()])) }
}
