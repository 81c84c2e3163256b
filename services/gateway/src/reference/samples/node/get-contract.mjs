const answer = await fetch(`https://sign.example.com/api/external/v2/contracts/${process.env.CONTRACT_ID}`, {
  headers: { 'x-api-key': process.env.PARAPH_KEY },
})
const body = await answer.json()
if (!answer.ok) throw new Error(body.error)

const { status, signingProgress } = body.contract
console.log(status, `${signingProgress.signed} of ${signingProgress.total}`)
