"""Client of the Stablegate merchant API."""

from ._callback import verify_callback
from ._client import AsyncOrderPage, AsyncStablegate, OrderPage, Stablegate
from ._errors import ApiError, CallbackError, ConnectionFailed, StablegateError, WaitTimeout
from ._requests import CreatedOrder

__version__ = "1.0.0"

__all__ = [
    "ApiError",
    "AsyncOrderPage",
    "AsyncStablegate",
    "CallbackError",
    "ConnectionFailed",
    "CreatedOrder",
    "OrderPage",
    "Stablegate",
    "StablegateError",
    "WaitTimeout",
    "verify_callback",
]
