import json, os, time, urllib.error, urllib.request

url = "https://sign.example.com/api/external/v2/contracts/" + os.environ["CONTRACT_ID"]
headers = {"x-api-key": os.environ["PARAPH_KEY"], "prefer": "wait=30"}
status = None
while status not in ("signed", "expired", "cancelled"):
    try:
        request = urllib.request.Request(url, headers=headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            status = json.load(answer)["contract"]["status"]
            headers["if-none-match"] = answer.headers["etag"]
    except urllib.error.HTTPError as error:
        if error.code in (429, 503):
            time.sleep(int(error.headers["retry-after"]))
            continue
        if error.code != 304:
            raise SystemExit(json.load(error)["error"])
        answer = error
    # The server answered without a wait: pause before the next request.
    if "preference-applied" not in answer.headers:
        time.sleep(1)
print(status)
