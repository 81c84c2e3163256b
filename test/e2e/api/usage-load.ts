// Sends calls of many clients to several gateways, and counts the calls, to check the bill of each account. [D3, D40]
// `sent`: a client sent the request. `answered`: the client received the whole answer, which was neither a 503 nor a `degraded` status,
// because both may mean that the gateway could not count the call.
import { Agent, request } from 'undici'

export interface Tally {
  sent: number
  answered: number
  /** Answers with `Paraph-Quota-Billable: true`. */
  billed: number
}

export interface Caller {
  apiUrl: string
  key: string
}

/** Creates counters of calls by account and label; a label is the method and the path template of an endpoint. */
export function createTallies() {
  const tallies = new Map<string, Tally>()
  const statuses = new Map<number, number>()
  const agent = new Agent({ connections: 64, pipelining: 1 })

  function tallyOf(account: string, label: string): Tally {
    const name = `${account} ${label}`
    const tally = tallies.get(name) ?? { sent: 0, answered: 0, billed: 0 }
    tallies.set(name, tally)
    return tally
  }

  return {
    statuses,
    of: tallyOf,

    /** Sends one call and counts it under `label`. @returns undefined if the connection failed */
    async call({ apiUrl, key }: Caller, account: string, label: string, path: string, body?: string) {
      const tally = tallyOf(account, label)
      tally.sent += 1
      try {
        const response = await request(apiUrl + path, {
          method: label.split(' ')[0] as 'GET',
          headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
          body: body ?? null,
          dispatcher: agent,
        })
        const text = await response.body.text()
        const { statusCode: status, headers } = response
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (status !== 503 && !text.includes('"degraded"')) tally.answered += 1
        if (headers['paraph-quota-billable'] === 'true') tally.billed += 1
        return { status, headers, text }
      } catch (error) {
        // The gateway refused the connection, so the client sent nothing.
        if ((error as { code?: string }).code === 'ECONNREFUSED') tally.sent -= 1
        return undefined
      }
    },
    close: () => agent.close(),
  }
}

export type Tallies = ReturnType<typeof createTallies>

export const CONTRACT = JSON.stringify({
  contractType: 'nda',
  content: 'The parties keep secrets secret.',
  parties: ['a', 'b'].map((party) => ({ role: 'Party', legalName: party, email: `${party}@example.test` })),
})

/**
 * Sends calls while `isOn` returns true: creations and reads of contracts, valid and invalid ones, and reads of usage and status.
 * @param callers one client each; `isForwardedOnly`: sends only calls that the gateway forwards, which it never counts if it answers 503
 */
export async function keepCalling(
  tallies: Tallies,
  callers: readonly (Caller & { account: string; contractId: string; isForwardedOnly?: boolean })[],
  random: () => number,
  isOn: () => boolean,
): Promise<void> {
  const client = async (caller: (typeof callers)[number]) => {
    const { account, isForwardedOnly } = caller
    while (isOn()) {
      const dice = random() * (isForwardedOnly ? 0.8 : 1)
      const answered =
        dice < 0.03
          ? await tallies.call(caller, account, 'POST /contracts', '/contracts', CONTRACT)
          : dice < 0.15
            ? await tallies.call(caller, account, 'POST /contracts', '/contracts', '{}')
            : dice < 0.65
              ? await tallies.call(caller, account, 'GET /contracts/:id', `/contracts/${caller.contractId}`)
              : dice < 0.8
                ? await tallies.call(caller, account, 'GET /contracts/:id', '/contracts/contract-1-aaaaaaaaa')
                : dice < 0.9
                  ? await tallies.call(caller, account, 'GET /usage', '/usage')
                  : await tallies.call(caller, account, 'GET /status', '/status')
      // The gateway is down or cannot count, so the client pauses before the next call.
      if (!answered || answered.status === 503) await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  await Promise.all(callers.map(client))
}
