const answer = await fetch('https://sign.example.com/api/external/v2/contracts', {
  method: 'POST',
  headers: {
    'x-api-key': process.env.PARAPH_KEY,
    'content-type': 'application/json',
    'idempotency-key': 'order-4472',
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
const body = await answer.json()
if (!answer.ok) throw new Error(body.error)

console.log(body.contract.id, body.contract.shareUrl)
