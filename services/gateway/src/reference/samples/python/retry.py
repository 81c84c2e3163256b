import json, os, random, time, urllib.error, urllib.request, uuid

# One request for all attempts: the same key and the same bytes create one contract.
request = urllib.request.Request(
    "https://sign.example.com/api/external/v2/contracts",
    method="POST",
    headers={
        "x-api-key": os.environ["PARAPH_KEY"],
        "content-type": "application/json",
        "idempotency-key": str(uuid.uuid4()),
        "prefer": "handling=strict",
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

def send():
    try:
        response = urllib.request.urlopen(request, timeout=60)
    except urllib.error.HTTPError as error:
        response = error
    with response:
        return response.status, response.headers, response.read().decode()

status, text = None, ""
for attempt in range(8):
    wait = 2**attempt * (0.5 + random.random() / 2)
    try:
        status, headers, text = send()
        is_refused = status < 500 and status not in (408, 409, 429)
        if is_refused or '"quota_exceeded"' in text:
            break
        wait = max(wait, int(headers["retry-after"] or 0))
    except Exception as error:
        text = str(error)  # a refused or broken connection
    time.sleep(min(wait, 60))
if status != 201:
    raise SystemExit(f"{status} {text}")
print(json.loads(text)["contract"]["id"])
