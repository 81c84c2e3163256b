import json, os, urllib.error, urllib.request

request = urllib.request.Request(
    "https://sign.example.com/api/external/v2/usage",
    headers={"x-api-key": os.environ["PARAPH_KEY"]},
)
try:
    with urllib.request.urlopen(request, timeout=30) as response:
        usage = json.load(response)["usage"]
except urllib.error.HTTPError as error:
    raise SystemExit(f"{error.code} {error.read().decode()}")

print(usage["remaining"], "of", usage["quotaLimit"], "calls are left")
