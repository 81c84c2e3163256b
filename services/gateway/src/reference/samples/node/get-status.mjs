const answer = await fetch('https://sign.example.com/api/external/v2/status', {
  headers: { 'x-api-key': process.env.PARAPH_KEY },
})
const body = await answer.json()
if (!answer.ok) throw new Error(body.error)

console.log(body.status, body.key.environment, body.key.scopes)
