const response = await fetch('https://sign.example.com/api/external/v2/contracts', {
  method: 'POST',
  headers: {
    'x-api-key': process.env.PARAPH_KEY,
    'content-type': 'application/json',
    'idempotency-key': crypto.randomUUID(),
    prefer: 'handling=strict',
  },
  body: JSON.stringify({
    contractType: 'nda',
    senderName: 'Nordic Foods procurement',
    parties: [
      { role: 'Discloser', legalName: 'Nordic Foods Ltd.', email: 'legal@nordicfoods.example' },
      { role: 'Recipient', legalName: 'Jane Roe', email: 'jane.roe@example.com' },
    ],
    content: 'NON-DISCLOSURE AGREEMENT\n\n1. PURPOSE\n\nKeep it secret.',
    metadata: { order: '4472' },
  }),
})
if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)

const { contract } = await response.json()
console.log(contract.id, contract.shareUrl)
