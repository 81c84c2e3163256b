touch contract.json
until grep -q -E '"status":"(signed|expired|cancelled)"' contract.json; do
  curl -sf -o contract.json --etag-compare etag.txt --etag-save etag.txt \
    -H "x-api-key: $PARAPH_KEY" -H "Prefer: wait=30" \
    "https://sign.example.com/api/external/v2/contracts/$CONTRACT_ID" || sleep 10
  sleep 1
done
