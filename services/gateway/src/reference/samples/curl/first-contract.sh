curl -sS --fail-with-body https://sign.example.com/api/external/v2/contracts \
  -H "x-api-key: $PARAPH_KEY" \
  -H "Content-Type: application/json" \
  -d '{
    "contractType": "nda",
    "parties": [
      { "role": "Discloser", "legalName": "Nordic Foods Ltd.",
        "email": "a@example.com" },
      { "role": "Recipient", "legalName": "Jane Roe",
        "email": "b@example.com" }
    ],
    "content": "NON-DISCLOSURE AGREEMENT\n\n1. PURPOSE\n\nKeep it secret."
  }' | tee contract.json
