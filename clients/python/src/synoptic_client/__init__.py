"""Calls a Synoptic server: describe a plot in your own words and get the best-matching anime or manga."""

from . import models, options
from .async_client import AsyncSynoptic
from .client import Synoptic
from .errors import (
    AccessError,
    InvalidRequestError,
    NotFoundError,
    RateLimitedError,
    ServerError,
    SynopticError,
    UnavailableError,
)
from .models import FailedText

__all__ = [
    "AccessError",
    "AsyncSynoptic",
    "FailedText",
    "InvalidRequestError",
    "NotFoundError",
    "RateLimitedError",
    "ServerError",
    "Synoptic",
    "SynopticError",
    "UnavailableError",
    "models",
    "options",
]
