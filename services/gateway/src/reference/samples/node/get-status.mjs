const response = await fetch('https://sign.example.com/api/external/v2/status', {
  headers: { 'x-api-key': process.env.PARAPH_KEY },
})
if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)

const { status, key } = await response.json()
console.log(status, key.environment, key.scopes)
