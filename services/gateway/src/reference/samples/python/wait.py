import json, os, time, urllib.error, urllib.request

# Polls for 10 minutes, then every 15 minutes, after a day every hour.
url = "https://sign.example.com/api/external/v2/contracts/" + os.environ["CONTRACT_ID"]
headers = {"x-api-key": os.environ["PARAPH_KEY"], "prefer": "wait=30"}
start = time.time()

def get():
    try:
        response = urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=60)
    except urllib.error.HTTPError as error:
        response = error
    with response:
        return response.status, response.headers, response.read().decode()

while True:
    minutes = (time.time() - start) / 60
    pause = 1 if minutes < 10 else 15 * 60 if minutes < 24 * 60 else 60 * 60
    try:
        code, answered, text = get()
        if code == 200:
            status = json.loads(text)["contract"]["status"]
            if status in ("signed", "expired", "cancelled"):
                print(status)
                break
            headers["if-none-match"] = answered["etag"] or ""
        elif code in (401, 403, 404) or '"quota_exceeded"' in text:
            raise SystemExit(text)
        elif code != 304:
            pause = min(int(answered["retry-after"] or 5), 60)
    except Exception:
        pause = 5  # a refused or broken connection, or a body that is not JSON
    time.sleep(pause)
