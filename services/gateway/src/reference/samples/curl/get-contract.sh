curl -sS --fail-with-body \
  "https://sign.example.com/api/external/v2/contracts/$CONTRACT_ID" \
  -H "x-api-key: $PARAPH_KEY"
