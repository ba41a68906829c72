"""Drives the published client "epusdt" and prints the values that it returns as JSON."""

import json
import sys
from urllib.parse import parse_qsl, urlsplit

from epusdt import EpusdtClient, Network
from epusdt.exceptions import APIError


def values(record, *names):
    """Returns the named values of a record, enumerations by their name."""
    return {name: getattr(getattr(record, name), "name", getattr(record, name)) for name in names}


def error_of(call):
    """Returns the class of the error that a call raises, or its number if the class is the general one."""
    try:
        call()
    except APIError as error:
        return type(error).__name__ if type(error) is not APIError else str(error.business_code)
    return "none"


ORDER = ("trade_id", "order_id", "amount", "currency", "actual_amount", "receive_address", "token", "status")
CHECKOUT = (
    "trade_id",
    "actual_amount",
    "receive_address",
    "token",
    "network",
    "status",
    "payment_type",
    "is_selected",
)


def create(client, known):
    notify_url = f"{known['shop']}/notify"
    terms = {"amount": "28.80", "notify_url": notify_url, "redirect_url": "https://shop.example.com/done"}
    config = client.get_public_config()
    created = client.create_order(order_id=known["number"], name="会员 & VIP", **terms)
    on_chain = {"token": "USDT", "network": Network.BSC}
    fixed = client.create_order(order_id=f"{known['number']}-f", use_form=True, **on_chain, **terms)
    checkout = client.get_checkout(created.trade_id)
    chosen = client.switch_network(trade_id=created.trade_id, token="USDT", network=Network.BSC)
    submitted = client.submit_tx_hash(trade_id=created.trade_id, block_transaction_id=known["tx"])
    other = EpusdtClient(base_url=known["url"], pid=known["pid"], secret_key="another key")
    more = {"order_id": f"{known['number']}-e", **terms}
    epay = {"out_trade_no": f"{known['number']}-e", "money": 1, "notify_url": notify_url}
    errors = {
        "unknown": error_of(lambda: client.get_checkout("unknown")),
        "network": error_of(lambda: client.create_order(token="TON", network="ton", **more)),
        "method": error_of(lambda: client.create_order(token="USDT", network="polygon", **more)),
        "hash": error_of(lambda: client.submit_tx_hash(trade_id=created.trade_id, block_transaction_id="soon")),
        "notify": error_of(lambda: client.create_order(**{**more, "notify_url": "http://169.254.169.254/"})),
        "key": error_of(lambda: other.create_order(**more)),
        "epay_type": error_of(lambda: client.create_epay_order(type="usdt.nowhere", **epay)),
    }
    return {
        "config": {
            "networks": ",".join(asset.network for asset in config.supported_assets),
            "tokens": ",".join(config.supported_assets[0].tokens),
            "currency": config.epay.default_currency,
        },
        "created": values(created, *ORDER),
        "fixed": values(fixed, *ORDER),
        "checkout": values(checkout, *CHECKOUT),
        "chosen": {**values(chosen, *CHECKOUT), "expires": chosen.expiration_datetime.timestamp()},
        "status": values(client.check_status(created.trade_id), "trade_id", "status"),
        "submitted": {**values(submitted, "trade_id", "status"), "id": submitted.block_transaction_id},
        "errors": errors,
    }


def callback(client, known):
    parsed = client.parse_gmpay_callback(json.loads(known["body"]))
    names = ("pid", "trade_id", "amount", "actual_amount", "receive_address", "token", "status")
    return {"callback": values(parsed, *names), "paid": values(client.check_status(known["trade_id"]), "status")}


def epay(client, known):
    answers = {}
    for method in ("GET", "POST"):
        number = f"{known['number']}-{method}"
        answer = client.create_epay_order(
            method=method,
            out_trade_no=number,
            money="28.80",
            notify_url=f"{known['shop']}/notify?x=1",
            return_url="https://shop.example.com/done",
            name="会员 & VIP",
            type="usdt.binance",
        )
        answers[method.lower()] = {"number": number, **values(answer, "status_code", "checkout_url")}
    return answers


def epay_callback(client, known):
    params = dict(parse_qsl(urlsplit(known["path"]).query))
    del params["x"]
    parsed = client.parse_epay_callback(params)
    names = ("trade_no", "out_trade_no", "type", "name", "money", "trade_status")
    return {"callback": values(parsed, *names)}


STEPS = {"create": create, "callback": callback, "epay": epay, "epay-callback": epay_callback}
known = json.loads(sys.argv[2])
with EpusdtClient(base_url=known["url"], pid=known["pid"], secret_key=known["key"]) as client:
    print(json.dumps(STEPS[sys.argv[1]](client, known)))
