// The base of every stack of the fault tests, whatever its number of replicas: Postgres with its databases, a mail server, the demo
// account, and direct database access without a proxy. Built from the launcher's own parts.
// Owns: everything but services. Does not own: services, proxies and balancers (fault-stack.ts, rolling/rig.ts).
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { openDataFolder } from '@paraph/paraph/installation/data-folder'
import { migrateDatabases, provisionDatabases } from '@paraph/local/databases'
import { openDemoAccount } from '@paraph/local/demo-account'
import { internalUrl, superuserUrl } from '@paraph/paraph/installation/environment'
import { createOperatorClient } from '@paraph/paraph/operator-client'
import { choosePorts, claimPort } from '@paraph/paraph/installation/ports'
import { preparePostgres } from '@paraph/local/postgres'
import { openProcessLog, postgresLevel } from '@paraph/local/process-log'
import { openSecrets } from '@paraph/paraph/installation/secrets'
import { writeStackFiles } from '@paraph/local/stack-file'
import { supervise, type ProcessSpec, type Supervised } from '@paraph/local/supervisor'
import type { Invariant } from '@paraph/verify/check'
import { startSmtpServer } from '@paraph/notification/test/smtp-fixture'
import { databaseUrlOf, readStackFile, type Database } from '../harness/stack/local-stack.js'
import type { Clocks } from './clocks.js'
import type { BusName } from './fault-bus.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const RESTART_MS_MAX = 100

/** Cleanup functions, which run at the end in reverse order. */
export type Undo = (() => Promise<unknown>)[]

/** The exit of a process that was not stopped through its supervisor. */
export interface Death {
  name: string
  how: string
}

/**
 * Starts Postgres with migrated databases, and a mail server.
 * @param folder a folder that the postgres user can enter
 * @param announce receives messages about supervised processes
 * @param onReplaced is called when a supervised process was restarted after an exit
 * @param clocks the clocks of the supervised processes, if not the machine's
 */
export async function startInfrastructure(
  undo: Undo,
  {
    folder,
    busName,
    announce,
    onReplaced,
    clocks,
  }: {
    folder: string
    busName: BusName
    announce: (sentence: string) => void
    onReplaced: () => void
    clocks?: Clocks | undefined
  },
) {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const { paths, release } = await openDataFolder(folder, version)
  undo.push(release)
  const ports = await choosePorts(paths.ports, { gateway: 0, mailbox: 0 })
  const secrets = await openSecrets(paths.secrets)
  const basis = { ports, secrets, eventBus: busName }

  function keep(spec: ProcessSpec, levelOf?: (text: string) => string | undefined): Supervised {
    const log = openProcessLog({
      path: join(paths.logs, `${spec.name}.log`),
      service: spec.name,
      show: () => undefined,
      ...(levelOf ? { levelOf } : {}),
    })
    undo.push(log.close)
    return supervise(clocks?.within(spec) ?? spec, { log, announce, restartMsMax: RESTART_MS_MAX, onReplaced })
  }

  const postgresSpec = await preparePostgres({
    folder: paths.postgres,
    port: ports.postgres,
    password: secrets.superuserPassword,
    url: superuserUrl(basis),
  })
  const postgres = keep(postgresSpec, postgresLevel)
  await postgres.start()
  undo.push(postgres.stop)
  await provisionDatabases(basis)
  await migrateDatabases(basis)

  const mailServer = await startMailServer()
  undo.push(mailServer.stop)
  return { folder, paths, ...basis, postgres, mailServer, keep }
}

export type Infrastructure = Awaited<ReturnType<typeof startInfrastructure>>

/**
 * Opens the parts that need services on `ports`: operator client, demo account, files that commands read, direct database access.
 * @param pidsOf returns the process ids for `stack.json`
 */
export async function openBaseStack(
  undo: Undo,
  { folder, paths, ports, secrets, eventBus, mailServer }: Infrastructure,
  pidsOf: () => Record<string, number | undefined>,
) {
  const operator = createOperatorClient({
    gatewayUrl: internalUrl(ports, 'gateway'),
    contractUrl: internalUrl(ports, 'contract'),
    signingUrl: internalUrl(ports, 'signing'),
    notificationUrl: internalUrl(ports, 'notification'),
    operatorKey: secrets.callerKeys.operator.private,
  })
  undo.push(operator.close)
  const demo = await openDemoAccount(paths, operator)
  const writeFiles = () => writeStackFiles(paths, { ports, secrets, eventBus, demo, pids: pidsOf() })
  await writeFiles()
  const stack = (await readStackFile(folder))!
  const pools = new Map<Database, pg.Pool>()
  undo.push(() => Promise.all([...pools.values()].map((pool) => pool.end())))

  /** Runs one statement as the superuser, without a proxy. */
  async function query<Row extends object>(database: Database, text: string, values: unknown[] = []): Promise<Row[]> {
    let pool = pools.get(database)
    if (!pool) {
      pool = new pg.Pool({ connectionString: databaseUrlOf(stack, database), max: 4 })
      pool.on('error', () => undefined)
      pools.set(database, pool)
    }
    return (await pool.query<Row>(text, values)).rows
  }

  /** Creates an account on the tier for load tests, with a key. */
  async function createAccount(name: string): Promise<{ accountId: string; key: string }> {
    const made = await operator.gateway.account.create.mutate({ name, email: 'owner@example.test', tier: 'load' })
    const scopes: ('contracts:read' | 'contracts:write')[] = ['contracts:read', 'contracts:write']
    const { key } = await operator.gateway.key.create.mutate({
      accountId: made.account.id,
      environment: 'live',
      scopes,
    })
    return { accountId: made.account.id, key: key.secret }
  }

  /** The reasons of all dead letters that are not redriven, the oldest first. */
  async function deadLetters(): Promise<string[]> {
    const rows = await Promise.all(
      (['signing', 'notification'] as const).map((service) =>
        query<{ reason: string; dead_at: Date }>(
          service,
          'select reason, dead_at from dead_letter where redriven_at is null',
        ),
      ),
    )
    return rows
      .flat()
      .toSorted((left, right) => left.dead_at.getTime() - right.dead_at.getTime())
      .map(({ reason }) => reason)
  }

  return {
    folder,
    stack,
    mailServer,
    operator,
    demo,
    query,
    createAccount,
    deadLetters,
    writeFiles,
    /** The invariants that scenarios violated by messages of their own, which stay in the topics. */
    planted: new Set<Invariant>(),
    /** The exits that were not requested; whoever runs the services records them. */
    deaths: [] as Death[],
  }
}

/** The parts of a stack that clients, parties and checks need. */
export type BaseStack = Awaited<ReturnType<typeof openBaseStack>>

/** Starts a real SMTP server in this process, with configurable answers. It can be stopped, and restarted on the same port. */
async function startMailServer() {
  const port = await claimPort()
  let relay = await startSmtpServer(port, { offersLogin: true })
  const kept: (typeof relay)['mails'] = []
  const codes = new Map<string, string[]>()
  let indexed = 0
  return {
    port,
    /** The codes that were mailed to `email`, in order. */
    codesTo(email: string): string[] {
      for (; indexed < kept.length + relay.mails.length; indexed += 1) {
        const mail = kept[indexed] ?? relay.mails[indexed - kept.length]!
        const code =
          /one-time code/.test(mail.parsed.subject ?? '') &&
          /^(\d{6}|\d{8}|\d{12})\b/m.exec(mail.parsed.text ?? '')?.[1]
        const to = mail.to[0] ?? ''
        if (code && mail.answer === 'ok') codes.set(to, [...(codes.get(to) ?? []), code])
      }
      return codes.get(email) ?? []
    },
    accepted: () => [...kept.filter(({ answer }) => answer === 'ok'), ...relay.accepted()],
    askForLogin: (...taken: string[]) => relay.askForLogin(...taken),
    takeTime: (ms: Parameters<typeof relay.takeTime>[0]) => relay.takeTime(ms),
    answerWith: (next: Parameters<typeof relay.answerWith>[0]) => relay.answerWith(next),
    refuseRecipients: (next: Parameters<typeof relay.refuseRecipients>[0]) => relay.refuseRecipients(next),
    async restart(): Promise<void> {
      kept.push(...relay.mails)
      relay = await startSmtpServer(port, { offersLogin: true })
    },
    stop: () => relay.stop(),
  }
}
