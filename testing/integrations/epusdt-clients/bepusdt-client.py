"""Drives the published client "bepusdt" and prints the values that it returns as JSON."""

import json
import sys

from bepusdt import BEpusdtClient
from bepusdt.exceptions import APIError
from requests.adapters import HTTPAdapter


class Plain(HTTPAdapter):
    """Sends requests for the https address that the client demands to the local test server."""

    def __init__(self, url):
        super().__init__()
        self.url = url

    def send(self, request, *args, **kwargs):
        request.url = request.url.replace("https://pay.example.com", self.url, 1)
        return super().send(request, *args, **kwargs)


def values(order, *names):
    """Returns the named values of an order, enumerations by their name."""
    return {name: getattr(getattr(order, name), "name", getattr(order, name)) for name in names}


ORDER = ("trade_id", "order_id", "amount", "actual_amount", "token", "expiration_time", "payment_url", "fiat", "status")


def create(client, known):
    terms = {
        "amount": 28.8,
        "notify_url": "https://shop.example.com/notify",
        "redirect_url": "https://shop.example.com/done",
        "trade_type": "usdt.bep20",
        "timeout": 1200,
    }
    created = client.create_order(order_id=f"{known['number']}-1", name="会员", **terms)
    repeated = client.create_order(order_id=f"{known['number']}-1", name="会员", **terms)
    waiting = client.query_order(created.trade_id)
    other = client.create_order(order_id=f"{known['number']}-2", **terms)
    client.cancel_order(other.trade_id)
    try:
        client.create_order(order_id=f"{known['number']}-3", **{**terms, "trade_type": "tron.trx"})
        code = None
    except APIError as error:
        code = error.status_code
    return {
        "created": values(created, *ORDER),
        "repeated": values(repeated, *ORDER),
        "waiting": values(waiting, "status"),
        "cancelled": values(client.query_order(other.trade_id), "status"),
        "error": {"code": code},
    }


def callback(client, known):
    received = json.loads(known["body"])
    return {
        "callback": {
            "isValid": client.verify_callback(received),
            "isForgedValid": client.verify_callback({**received, "amount": 1}),
        },
        "paid": values(client.query_order(known["trade_id"]), "status"),
    }


known = json.loads(sys.argv[2])
client = BEpusdtClient(api_url="https://pay.example.com", api_token=known["key"], max_retries=0)
client.session.mount("https://", Plain(known["url"]))
print(json.dumps({"create": create, "callback": callback}[sys.argv[1]](client, known)))
