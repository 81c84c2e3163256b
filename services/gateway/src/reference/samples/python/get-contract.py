import json, os, urllib.error, urllib.request

request = urllib.request.Request(
    "https://sign.example.com/api/external/v2/contracts/" + os.environ["CONTRACT_ID"],
    headers={"x-api-key": os.environ["PARAPH_KEY"]},
)
try:
    with urllib.request.urlopen(request, timeout=30) as response:
        contract = json.load(response)["contract"]
except urllib.error.HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")

progress = contract["signingProgress"]
print(contract["status"], progress["signed"], "of", progress["total"])
