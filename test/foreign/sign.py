"""Asks a venue with nothing but the standard library: URL, access id, secret and the venue's time in ms are the arguments.

Prints one line for each request, the code that it was answered. Both generations and every way to sign are tried.
"""
import hashlib
import hmac
import json
import sys
import urllib.parse
import urllib.request

base, access_id, secret, now = sys.argv[1:5]


def ask(method, target, headers, body=None):
    data = None if body is None else body.encode()
    request = urllib.request.Request(base + target, data=data, headers=headers, method=method)
    with urllib.request.urlopen(request) as response:
        answer = json.load(response)
    print(method, target.split("?")[0], answer["code"])
    return answer["data"]


def current(method, path, params=None, body=None, plain=False):
    target = path if params is None else path + "?" + urllib.parse.urlencode(params)
    text = "" if body is None else json.dumps(body)
    prepared = method + target + text + now
    if plain:
        signed = hashlib.sha256((prepared + secret).encode()).hexdigest()
    else:
        signed = hmac.new(secret.encode(), prepared.encode(), hashlib.sha256).hexdigest()
    headers = {
        "X-COINEX-KEY": access_id,
        "X-COINEX-SIGN": signed,
        "X-COINEX-TIMESTAMP": now,
        "Content-Type": "application/json; charset=utf-8",
    }
    return ask(method, target, headers, text if body is not None else None)


def legacy(method, path, params):
    everything = dict(params, access_id=access_id, tonce=int(now))
    text = "&".join(f"{name}={everything[name]}" for name in sorted(everything))
    signed = hashlib.md5(f"{text}&secret_key={secret}".encode()).hexdigest().upper()
    headers = {"authorization": signed, "Content-Type": "application/json; charset=utf-8"}
    if method == "POST":
        return ask(method, path, headers, json.dumps(everything))
    return ask(method, path + "?" + urllib.parse.urlencode(everything), headers)


order = {"market": "BTCUSDT", "market_type": "SPOT", "side": "buy", "type": "limit", "amount": "0.01", "price": "20000"}
placed = current("POST", "/v2/spot/order", body=order)
current("GET", "/v2/spot/order-status", {"market": "BTCUSDT", "order_id": placed["order_id"]}, plain=True)
cancel = {"market": "BTCUSDT", "market_type": "SPOT", "order_ids": [placed["order_id"]]}
current("POST", "/v2/spot/cancel-batch-order", body=cancel, plain=True)
current("GET", "/v2/assets/spot/balance")
old = legacy("POST", "/v1/order/limit", {"market": "BTCUSDT", "type": "buy", "amount": "0.01", "price": "20000"})
legacy("GET", "/v1/order/pending", {"market": "btcusdt", "page": 1, "limit": 10})
legacy("DELETE", "/v1/order/pending", {"market": "BTCUSDT", "id": old["id"]})
legacy("GET", "/v1/balance/", {})
