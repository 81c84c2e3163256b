curl -sS --fail-with-body https://sign.example.com/api/external/v2/contracts \
  -H "x-api-key: $PARAPH_KEY" \
  -H "Content-Type: application/json" \
  -H "Idempotency-Key: $(openssl rand -hex 16)" \
  -H "Prefer: handling=strict" \
  -d '{
    "contractType": "nda",
    "senderName": "Nordic Foods procurement",
    "parties": [
      { "role": "Discloser", "legalName": "Nordic Foods Ltd.",
        "email": "legal@nordicfoods.example" },
      { "role": "Recipient", "legalName": "Jane Roe",
        "email": "jane.roe@example.com" }
    ],
    "content": "NON-DISCLOSURE AGREEMENT\n\n1. PURPOSE\n\nKeep it secret.",
    "metadata": { "order": "4471" }
  }'
