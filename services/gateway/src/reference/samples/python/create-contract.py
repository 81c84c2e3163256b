import json, os, urllib.error, urllib.request, uuid

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
        "senderName": "Nordic Foods procurement",
        "parties": [
            {"role": "Discloser", "legalName": "Nordic Foods Ltd.",
             "email": "legal@nordicfoods.example"},
            {"role": "Recipient", "legalName": "Jane Roe",
             "email": "jane.roe@example.com"},
        ],
        "content": "NON-DISCLOSURE AGREEMENT\n\n1. PURPOSE\n\nKeep it secret.",
        "metadata": {"order": "4473"},
    }).encode(),
)
try:
    with urllib.request.urlopen(request, timeout=30) as response:
        contract = json.load(response)["contract"]
except urllib.error.HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")

print(contract["id"], contract["shareUrl"])
