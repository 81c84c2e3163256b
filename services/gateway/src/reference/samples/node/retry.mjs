// One request for all attempts: the same key and the same bytes create one contract.
const request = {
  method: 'POST',
  headers: {
    'x-api-key': process.env.PARAPH_KEY,
    'content-type': 'application/json',
    'idempotency-key': crypto.randomUUID(),
    prefer: 'handling=strict',
  },
  body: JSON.stringify({
    contractType: 'nda',
    parties: [
      { role: 'Discloser', legalName: 'Nordic Foods Ltd.', email: 'a@example.com' },
      { role: 'Recipient', legalName: 'Jane Roe', email: 'b@example.com' },
    ],
    content: 'NON-DISCLOSURE AGREEMENT',
  }),
}
const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, Math.min(seconds, 60) * 1000))

let status, text
for (let attempt = 0; attempt < 8; attempt++) {
  let retryAfter = 0
  try {
    const signal = AbortSignal.timeout(60_000)
    const response = await fetch('https://sign.example.com/api/external/v2/contracts', { ...request, signal })
    status = response.status
    retryAfter = Number(response.headers.get('retry-after')) || 0
    text = await response.text()
    const isRefused = status < 500 && ![408, 409, 429].includes(status)
    if (isRefused || text.includes('"quota_exceeded"')) break
  } catch (error) {
    text = String(error) // a refused or broken connection
  }
  await sleep(Math.max(retryAfter, 2 ** attempt * (0.5 + Math.random() / 2)))
}
if (status !== 201) throw new Error(`${status} ${text}`)
console.log(JSON.parse(text).contract.id)
