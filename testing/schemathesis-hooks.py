"""The limits of requests that JSON Schema cannot express, for Schemathesis."""

import json

import schemathesis

MAX_METADATA_BYTES = 2048


@schemathesis.hook
def filter_body(context, body):
    """Drops bodies whose metadata has too many bytes: the limit counts the bytes as sent, and no keyword limits them."""
    return not isinstance(body, dict) or len(json.dumps(body.get("metadata"))) <= MAX_METADATA_BYTES
