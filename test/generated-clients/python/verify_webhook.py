# Verifies a webhook with the package standardwebhooks. Arguments: the secret, the headers as JSON and the body. [D65]
import json
import sys

from standardwebhooks import Webhook

secret, headers, body = sys.argv[1:]
assert Webhook(secret).verify(body, json.loads(headers)) == json.loads(body)
try:
    Webhook(secret).verify(body + " ", json.loads(headers))
except Exception:
    print("webhook verified")
