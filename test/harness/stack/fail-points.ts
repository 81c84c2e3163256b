// Kills a service of a running stack once, at a fail point: a named place in the code of the service. [F16]
import { access, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expectWithMessage } from '@paraph/testing/expect-with-message'
import type { RunningStack } from './local-stack.js'
import { until } from '../until.js'

/**
 * Arms `point`, before the action of a test: the next process that reaches `point` kills itself with SIGKILL.
 * @param points the FAIL_POINT_DIR of the stack
 * @returns a function to await after the action: expects that `service` was killed at `point` exactly once, and waits for its restart
 */
export async function expectKillAt(
  { launched }: RunningStack,
  { points, service, point }: { points: string; service: string; point: string },
): Promise<() => Promise<void>> {
  const countOf = (sentence: string): number => launched.output().split(sentence).length - 1
  const [died, back] = [`${service} was ended by SIGKILL`, `${service} runs again`]
  const [deaths, returns] = [countOf(died), countOf(back)]
  await writeFile(join(points, point), '')
  return async () => {
    await until(`the death of ${service} at ${point}`, () => (countOf(died) > deaths ? true : undefined))
    await expectWithMessage(access(join(points, point)), `${point} was reached`).rejects.toThrow('ENOENT')
    await until(`the restart of ${service}`, () => (countOf(back) > returns ? true : undefined), 60_000)
    expectWithMessage(countOf(died), `${service} died once`).toBe(deaths + 1)
  }
}
