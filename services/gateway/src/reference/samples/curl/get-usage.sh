curl -sS --fail-with-body https://sign.example.com/api/external/v2/usage \
  -H "x-api-key: $PARAPH_KEY"
