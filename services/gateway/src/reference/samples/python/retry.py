import json, os, random, time, urllib.error, urllib.request

# Created once, so that a repetition is the same request, byte for byte.
request = urllib.request.Request(
    "https://sign.example.com/api/external/v2/contracts",
    method="POST",
    headers={
        "x-api-key": os.environ["PARAPH_KEY"],
        "content-type": "application/json",
        "idempotency-key": "order-4483",
    },
    data=json.dumps({
        "contractType": "nda",
        "parties": [
            {"role": "Discloser", "legalName": "Nordic Foods Ltd.", "email": "a@example.com"},
            {"role": "Recipient", "legalName": "Jane Roe", "email": "b@example.com"},
        ],
        "content": "NON-DISCLOSURE AGREEMENT",
    }).encode(),
)
for attempt in range(6):
    wait = min(60, 2**attempt) * (0.5 + random.random() / 2)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            print(json.load(answer)["contract"]["id"])
            break
    except urllib.error.HTTPError as error:
        if error.code not in (408, 409, 429, 500, 503):
            raise SystemExit(json.load(error)["error"])
        wait = max(wait, int(error.headers.get("retry-after", 0)))
    except urllib.error.URLError:
        pass
    time.sleep(wait)
else:
    raise SystemExit("no answer")
