"""Sends a push as to Apple's service, and asks the gateway whether it arrived."""

import json
import os
import ssl
import time
import urllib.request

import httpx
import jwt

FOLDER = "/gateway/credentials"
DEVICE = "a1" * 32

with open(f"{FOLDER}/credentials.json") as file:
    facts = json.load(file)
with open(f"{FOLDER}/{facts['key']}") as file:
    token = jwt.encode({"iss": facts["team-id"], "iat": int(time.time())}, file.read(), "ES256", {"kid": facts["key-id"]})
headers = {"authorization": f"bearer {token}", "apns-topic": facts["topic"], "apns-push-type": "alert"}
with httpx.Client(http2=True, verify=ssl.create_default_context(cafile=f"{FOLDER}/ca.pem")) as client:
    url = f"https://api.push.apple.com/3/device/{DEVICE}"
    answer = client.post(url, json={"aps": {"alert": "Hello from Python"}}, headers=headers)
print("Python:", answer.status_code, answer.text)

expected = {"match": {"token": DEVICE, "payload": {"aps": {"alert": "Hello from Python"}}}, "within": "5s"}
authorization = {"authorization": f"Bearer {os.environ['APNS_GATEWAY_CONTROL_TOKEN']}"}
request = urllib.request.Request("http://gateway:8444/api/verify", json.dumps(expected).encode(), authorization)
with urllib.request.urlopen(request) as verified:
    if not json.load(verified)["satisfied"]:
        raise SystemExit("Python: it did not arrive")
print("Python: it arrived")
