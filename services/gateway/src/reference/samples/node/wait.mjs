// Polls for 10 minutes, then every 15 minutes, after a day every hour.
const url = `https://sign.example.com/api/external/v2/contracts/${process.env.CONTRACT_ID}`
const headers = { 'x-api-key': process.env.PARAPH_KEY, prefer: 'wait=30' }
const start = Date.now()

while (true) {
  const minutes = (Date.now() - start) / 60_000
  let pause = minutes < 10 ? 1 : minutes < 24 * 60 ? 15 * 60 : 60 * 60
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(60_000) })
    if (response.ok) {
      const { status } = (await response.json()).contract
      if (['signed', 'expired', 'cancelled'].includes(status)) {
        console.log(status)
        break
      }
      headers['if-none-match'] = response.headers.get('etag')
    } else if (response.status !== 304) {
      const text = await response.text()
      if ([401, 403, 404].includes(response.status) || text.includes('"quota_exceeded"')) {
        console.error(text)
        process.exit(1)
      }
      pause = Math.min(Number(response.headers.get('retry-after')) || 5, 60)
    }
  } catch {
    pause = 5 // a refused or broken connection, or a body that is not JSON
  }
  await new Promise((resolve) => setTimeout(resolve, pause * 1000))
}
