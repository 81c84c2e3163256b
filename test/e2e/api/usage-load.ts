// Calls of many clients at several gateways, and the limits of the expected bill of each account. [D3, D40]
// Sent: left a client. Answered: arrived completely, and neither as a 503 nor as a `degraded` status, because both may indicate that
// counting is unavailable.
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

/** Counts the results of the calls by account and label. */
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

    /** One call that is counted under `label`. Resolves with undefined if its connection broke. */
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
        // The connection was refused: nothing was sent.
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
 * Clients that call while `isOn` returns true: contracts, good and bad reads, refused bodies, usage and status.
 * @param callers each is one client; with `isForwardedOnly` it makes only calls that are forwarded, whose 503 is never counted
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
      // Its gateway is down, or cannot count: the client pauses before its next call.
      if (!answered || answered.status === 503) await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  await Promise.all(callers.map(client))
}
