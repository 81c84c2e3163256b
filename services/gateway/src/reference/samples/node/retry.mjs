const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))
// Created once, so that a repetition is the same request, byte for byte.
const request = {
  method: 'POST',
  headers: {
    'x-api-key': process.env.PARAPH_KEY,
    'content-type': 'application/json',
    'idempotency-key': 'order-4482',
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

let answer
for (let attempt = 0; attempt < 6; attempt++) {
  answer = await fetch('https://sign.example.com/api/external/v2/contracts', request).catch(() => undefined)
  if (answer && ![408, 409, 429, 500, 503].includes(answer.status)) break
  const seconds = Math.min(60, 2 ** attempt) * (0.5 + Math.random() / 2)
  await sleep(Math.max(seconds, Number(answer?.headers.get('retry-after') ?? 0)))
}
if (!answer?.ok) throw new Error((await answer?.json())?.error ?? 'no answer')
console.log((await answer.json()).contract.id)
