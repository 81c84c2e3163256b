# Polls for 10 minutes, then every 15 minutes, after a day every hour.
rm -f "$CONTRACT_ID.json" "$CONTRACT_ID.etag"
start=$(date +%s)
while true; do
  minutes=$((($(date +%s) - start) / 60))
  pause=3600
  [ $minutes -ge 1440 ] || pause=900
  [ $minutes -ge 10 ] || pause=1
  code=$(curl -sS -m 60 -o "$CONTRACT_ID.json" -w '%{http_code}' \
    --etag-compare "$CONTRACT_ID.etag" --etag-save "$CONTRACT_ID.new" \
    -H "x-api-key: $PARAPH_KEY" -H "Prefer: wait=30" \
    "https://sign.example.com/api/external/v2/contracts/$CONTRACT_ID") || code=000
  case $code in
    200)
      mv "$CONTRACT_ID.new" "$CONTRACT_ID.etag"
      ! grep -qE '"status":"(signed|expired|cancelled)"' "$CONTRACT_ID.json" || break ;;
    304) ;;
    401 | 403 | 404) break ;;
    *) pause=10; ! grep -qs quota_exceeded "$CONTRACT_ID.json" || break ;;
  esac
  sleep $pause
done
cat "$CONTRACT_ID.json"
[ "$code" = 200 ]
