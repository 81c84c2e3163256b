const response = await fetch(`https://sign.example.com/api/external/v2/contracts/${process.env.CONTRACT_ID}`, {
  headers: { 'x-api-key': process.env.PARAPH_KEY },
})
if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)

const { status, signingProgress } = (await response.json()).contract
console.log(status, `${signingProgress.signed} of ${signingProgress.total}`)
