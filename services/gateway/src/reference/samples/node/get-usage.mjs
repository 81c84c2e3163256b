const response = await fetch('https://sign.example.com/api/external/v2/usage', {
  headers: { 'x-api-key': process.env.PARAPH_KEY },
})
if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)

const { usage } = await response.json()
console.log(`${usage.remaining} of ${usage.quotaLimit} calls are left`)
