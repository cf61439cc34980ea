"""Changes what schemathesis sends, so that a shared machine can take it: short waits and free ports."""

import re

import schemathesis

DURATION = re.compile(r"[0-9]+(ms|s|m)")


@schemathesis.hook
def map_body(context, body):
    if isinstance(body, dict):
        if isinstance(body.get("within"), str) and DURATION.fullmatch(body["within"]):
            body["within"] = "5ms"
        if type(body.get("port")) is int and 0 <= body["port"] <= 65535:
            body["port"] = 0
    return body
