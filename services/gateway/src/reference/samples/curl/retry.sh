# One key for all attempts, so that they create one contract.
KEY=$(openssl rand -hex 16)
for pause in 1 2 4 8 16 32 60; do
  code=$(curl -sS -m 60 -o "$KEY.json" -w '%{http_code}' \
    https://sign.example.com/api/external/v2/contracts \
    -H "x-api-key: $PARAPH_KEY" \
    -H "Content-Type: application/json" \
    -H "Idempotency-Key: $KEY" \
    -H "Prefer: handling=strict" \
    -d '{
      "contractType": "nda",
      "parties": [
        { "role": "Discloser", "legalName": "Nordic Foods Ltd.",
          "email": "a@example.com" },
        { "role": "Recipient", "legalName": "Jane Roe",
          "email": "b@example.com" }
      ],
      "content": "NON-DISCLOSURE AGREEMENT"
    }') || code=000
  case $code in
    000 | 408 | 409 | 429 | 5??) ;;
    *) break ;;
  esac
  grep -qs quota_exceeded "$KEY.json" && break
  sleep $pause
done
cat "$KEY.json"
[ "$code" = 201 ]
