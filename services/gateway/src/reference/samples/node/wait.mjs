const final = ['signed', 'expired', 'cancelled']
const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

let contract, etag
while (!final.includes(contract?.status)) {
  const answer = await fetch(`https://sign.example.com/api/external/v2/contracts/${process.env.CONTRACT_ID}`, {
    headers: {
      'x-api-key': process.env.PARAPH_KEY,
      prefer: 'wait=30',
      ...(etag && { 'if-none-match': etag }),
    },
  })
  if (answer.status === 429 || answer.status === 503) {
    await sleep(Number(answer.headers.get('retry-after')))
    continue
  }
  if (answer.status !== 304) {
    const body = await answer.json()
    if (!answer.ok) throw new Error(body.error)
    contract = body.contract
    etag = answer.headers.get('etag')
  }
  // The server answered without a wait: pause before the next request.
  if (!answer.headers.has('preference-applied')) await sleep(1)
}
console.log(contract.status)
