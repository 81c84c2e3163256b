// Every scenario, in the order in which a suite runs them on one stack.
import type { Scenario } from '../scenario.js'
import { outOfOrder, poison, replay } from './bus-messages.js'
import { backlog, busAway, busSlow } from './bus-outage.js'
import { burst } from './burst.js'
import { collectorSilent } from './collector.js'
import { crash } from './crash.js'
import { clockSteps } from './clock-steps.js'
import { commitLost, postgresRestart, retryStorm } from './database.js'
import { formFlood } from './form-flood.js'
import { guessing } from './guessing.js'
import { failoverAsynchronous, failoverSynchronous } from './failover.js'
import { eventLoopBlocked, lockedTable, postgresFrozen } from './frozen.js'
import { deletedUnread } from './deleted-unread.js'
import { diskFull, postgresDiskFull } from './disk-full.js'
import { mailServerRefusesAll } from './mail-refusals.js'
import { mailServerAway, mailServerRefuses, mailWorkerDies } from './mail.js'
import { noLogin } from './no-login.js'
import { migrationKilled } from './migration-killed.js'
import { mailBacklog, mailServerAnswersLate } from './mail-delays.js'
import { signingFrozen } from './signing-frozen.js'
import { linesFallSilent } from './silence.js'

export const SCENARIOS: readonly Scenario[] = [
  busAway,
  busSlow,
  postgresRestart,
  commitLost,
  linesFallSilent,
  eventLoopBlocked,
  postgresFrozen,
  signingFrozen,
  lockedTable,
  noLogin,
  mailServerAway,
  mailServerRefuses,
  mailServerRefusesAll,
  mailServerAnswersLate,
  mailBacklog,
  mailWorkerDies,
  replay,
  deletedUnread,
  crash,
  retryStorm,
  burst,
  guessing,
  formFlood,
  // The messages of these three scenarios stay in the topics.
  backlog,
  outOfOrder,
  poison,
  migrationKilled,
  diskFull,
  postgresDiskFull,
  clockSteps,
  failoverSynchronous,
  failoverAsynchronous,
  collectorSilent,
]
