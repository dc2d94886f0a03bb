"""Hooks of schemathesis for Fava: sign each request as docs/rules/protocol.md says, and put real ids into bodies.

The file named by OPENAPI_PLAN holds {"callers": {name: {"token", "signKey", "userId"}}, "bodies": {operationId:
[{"caller", "fields"}]}, "byOperation": {operationId: caller}, "byAccess": {access: caller}, "files": {field: base64}}. At
the end OPENAPI_REACHED gets, for each operation, how many answers had each code of the envelope.
"""

import atexit
import base64
import hashlib
import hmac
import json
import os
import secrets
import time
from collections import Counter, defaultdict
from urllib.parse import urlsplit

import requests
import schemathesis

PUBLIC_KEY = b"fava-web"
with open(os.environ["OPENAPI_PLAN"], encoding="utf-8") as file:
    PLAN = json.load(file)
FILES = {field: base64.b64decode(text) for field, text in PLAN["files"].items()}
codes = defaultdict(Counter)
prepared = {name: iter(bodies) for name, bodies in PLAN["bodies"].items()}


class Signature(requests.auth.AuthBase):
    """Signs the bytes that are sent: a changed body, another path or a later time is another signature."""

    def __init__(self, caller):
        self.caller = caller

    def __call__(self, request):
        token = self.caller["token"] if self.caller else ""
        key = base64.urlsafe_b64decode(self.caller["signKey"] + "==") if self.caller else PUBLIC_KEY
        body = request.body or b""
        body = body.encode() if isinstance(body, str) else body
        timestamp, nonce = str(int(time.time() * 1000)), secrets.token_hex(16)
        parts = ["v1", request.method, urlsplit(request.url).path, timestamp, nonce, token]
        signed = "\n".join([*parts, hashlib.sha256(body).hexdigest()])
        request.headers.update({"timestamp": timestamp, "nonce": nonce})
        request.headers["signature"] = hmac.new(key, signed.encode(), hashlib.sha256).hexdigest()
        request.headers.pop("token", None)
        if token:
            request.headers["token"] = token
        return request


def operation_of(case):
    return case.operation.definition.raw


@schemathesis.hook
def before_call(context, case, kwargs):
    """Signs as the caller of the operation; every prepared body is sent once, generated ones get the caller's own id."""
    operation = operation_of(case)
    plan = next(prepared.get(operation["operationId"], iter(())), None)
    usual = PLAN["byOperation"].get(operation["operationId"], PLAN["byAccess"][operation["x-access"]])
    name = plan["caller"] if plan else usual
    caller = PLAN["callers"].get(name)
    if plan:
        case.body = {**plan["fields"]}
    elif isinstance(case.body, dict) and caller and "user_id" in case.body:
        case.body["user_id"] = caller["userId"]
    schema = operation["requestBody"]["content"]["multipart/form-data"]["schema"]
    if plan:
        for field, rules in schema["properties"].items():
            if rules.get("format") == "binary":
                case.body[field] = FILES[field]
    kwargs["auth"] = Signature(caller)


@schemathesis.hook
def after_call(context, case, response):
    """Counts the codes of the envelopes."""
    try:
        code = json.loads(response.content)["code"]
    except (ValueError, KeyError, TypeError):
        code = f"HTTP {response.status_code}"
    codes[operation_of(case)["operationId"]][str(code)] += 1


@atexit.register
def write():
    with open(os.environ["OPENAPI_REACHED"], "w", encoding="utf-8") as file:
        json.dump(codes, file)
