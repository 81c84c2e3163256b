CONTRACT_ID=$(grep -o 'contract-[0-9]*-[a-z0-9]*' contract.json | head -n 1)
curl -sS --fail-with-body \
  "https://sign.example.com/api/external/v2/contracts/$CONTRACT_ID" \
  -H "x-api-key: $PARAPH_KEY"
