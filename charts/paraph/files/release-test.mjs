// The program that `helm test` runs in a pod beside the release: checks the four services without a key, and creates no contract. [H26]
// Prints one line per check; exits with 1 if a check fails.
const { GATEWAY_URL, CONTRACT_INTERNAL_URL, SIGNING_INTERNAL_URL, NOTIFICATION_INTERNAL_URL } = process.env

const isReady = ({ status }) => status === 200

const CHECKS = [
  {
    says: 'a wrong key is 401, with an error that is a string',
    url: `${GATEWAY_URL}/api/external/v2/status`,
    headers: { 'x-api-key': 'paraph_test_of-the-chart' },
    holds: ({ status, body }) => status === 401 && typeof body?.error === 'string',
  },
  {
    says: 'version 1 is 404',
    url: `${GATEWAY_URL}/api/external/v1/contracts`,
    holds: ({ status }) => status === 404,
  },
  {
    says: 'the OpenAPI document is complete (gateway and contract)',
    url: `${GATEWAY_URL}/openapi.json`,
    holds: ({ status, body }) => status === 200 && body?.paths?.['/contracts'] !== undefined,
  },
  {
    says: 'a share link that does not exist is 404 (gateway, signing and contract)',
    url: `${GATEWAY_URL}/contract/${'0'.repeat(43)}`,
    holds: ({ status }) => status === 404,
  },
  { says: 'contract is ready', url: `${CONTRACT_INTERNAL_URL}/readyz`, holds: isReady },
  { says: 'signing is ready', url: `${SIGNING_INTERNAL_URL}/readyz`, holds: isReady },
  { says: 'notification is ready', url: `${NOTIFICATION_INTERNAL_URL}/readyz`, holds: isReady },
]

async function ask(url, headers = {}) {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(10_000) })
    return { status: response.status, body: await response.json().catch(() => undefined) }
  } catch (error) {
    return { status: `no answer (${error.cause?.code ?? error.name})` }
  }
}

for (const { says, url, headers, holds } of CHECKS) {
  const answer = await ask(url, headers)
  const isSo = holds(answer)
  console.log(`${isSo ? 'ok' : 'FAILED'}: ${says} (${answer.status})`)
  if (!isSo) process.exitCode = 1
}
