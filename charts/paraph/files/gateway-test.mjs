// The program that `helm test` runs in a pod beside the release: checks the gateway and creates no contract. [H26]
// Prints one line per check; exits with 1 if a check fails.
const { GATEWAY_URL, API_KEY } = process.env

const CHECKS = [
  {
    says: 'a wrong key is 401, with an error that is a string',
    path: '/api/external/v2/status',
    headers: { 'x-api-key': 'paraph_test_of-the-chart' },
    holds: ({ status, body }) => status === 401 && typeof body?.error === 'string',
  },
  {
    says: 'version 1 is 404',
    path: '/api/external/v1/contracts',
    headers: {},
    holds: ({ status }) => status === 404,
  },
  ...(API_KEY === undefined
    ? []
    : [
        {
          says: 'the given key finds everything operational',
          path: '/api/external/v2/status',
          headers: { 'x-api-key': API_KEY.trim() },
          holds: ({ status, body }) => status === 200 && body?.status === 'operational',
        },
      ]),
]

async function ask(path, headers) {
  try {
    const response = await fetch(`${GATEWAY_URL}${path}`, { headers, signal: AbortSignal.timeout(10_000) })
    return { status: response.status, body: await response.json().catch(() => undefined) }
  } catch (error) {
    return { status: `no answer (${error.cause?.code ?? error.name})` }
  }
}

for (const { says, path, headers, holds } of CHECKS) {
  const answer = await ask(path, headers)
  const isSo = holds(answer)
  console.log(`${isSo ? 'ok' : 'FAILED'}: ${says} (${answer.status})`)
  if (!isSo) process.exitCode = 1
}
