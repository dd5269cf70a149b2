"""The one way to ask an OpenAI-compatible endpoint, for completions and for vectors alike.

OpenAI's client carries the requests; whether and when to ask again is decided here alone. Nothing of the variables
that steer that client (``OPENAI_*``) reaches a request: each carries the headers that are written down here.
"""

from __future__ import annotations

import email.utils
import json
import math
import random
import time
import weakref
from collections.abc import Callable
from datetime import datetime
from typing import Any

import openai
import tenacity

from graphmem.endpoints import Endpoint
from graphmem.llm.later import QUOTED, AskOtherwise, CallFailed, Raw, without_key, written
from graphmem.text import utc, utc_now

_FIRST_WAIT = 0.5  # seconds, doubled by each further request
_NO_KEY = "none"  # OpenAI's client insists on one
_QUOTA = "insufficient_quota"
_SECRET = 16  # characters from which on a key is no word that an answer may hold by chance


class _Sdk(openai.OpenAI):
    """OpenAI's client, with these headers and no others."""

    @property
    def default_headers(self) -> dict[str, str | openai.Omit]:
        return {
            "Accept": "application/json",
            "Content-Type": "application/json",
            "User-Agent": "graphmem",
            "Authorization": f"Bearer {self.api_key}",
        }


class Client:
    """Asks one endpoint, patiently.

    Asked again are: no connection, no answer in time, and HTTP 408, 429 and 5xx, unless a quota is used up; at most
    `attempts` requests in all. The wait is what the endpoint states (``Retry-After`` in seconds or as a date), at
    least; if that is beyond `retry_cap`, it is given up. Where nothing is stated, the wait doubles from half a second
    on, and up to half of it is taken off at random. `sleep`, `now` and `jitter` (in [0, 1)) are arguments for tests.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        sleep: Callable[[float], None] = time.sleep,
        now: Callable[[], datetime] = utc_now,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._at = endpoint
        self._now = now
        self._jitter = jitter
        self._key = endpoint.api_key.get_secret_value() if endpoint.api_key else ""
        # No redirect is followed: it could lead the memories in a request to another host.
        http = openai.DefaultHttpxClient(follow_redirects=False, timeout=endpoint.timeout)
        weakref.finalize(self, http.close)
        self._sdk = _Sdk(
            api_key=self._key or _NO_KEY,
            base_url=endpoint.base_url,
            timeout=endpoint.timeout,
            max_retries=0,
            http_client=http,
        )
        self._policy = tenacity.Retrying(
            sleep=sleep,
            stop=tenacity.stop_after_attempt(endpoint.attempts),
            wait=self._wait,
            retry=tenacity.retry_if_exception(self._worth_asking_again),
            reraise=True,
        )

    def json(self, request: Callable[[openai.OpenAI], Raw]) -> Any:
        """The JSON that `request` brings, asked again where that helps, and at once where it raises AskOtherwise.

        Raises CallFailed, which never shows the key.
        """
        try:
            content = self._policy.copy()(request, self._sdk).content
        except (openai.APIError, AskOtherwise) as raised:
            error = _told(raised)
            status = getattr(error, "status_code", None)
            said, otherwise = without_key(self._said(error), self._key), isinstance(raised, AskOtherwise)
            raise CallFailed(said, status, otherwise) from self._shown(error)
        if len(self._key) >= _SECRET:  # an endpoint that echoes its request must not bring the key into what is kept
            for form in written(self._key):
                content = content.replace(form.encode(), b"[key]")
        try:
            return json.loads(content)
        except (ValueError, RecursionError) as error:
            raise CallFailed(
                f"{self._at.base_url} answered no JSON; check that it is an OpenAI-compatible endpoint"
            ) from error

    def _worth_asking_again(self, error: BaseException) -> bool:
        if isinstance(error, AskOtherwise):
            return True
        if not _passing(error) or _is_quota(error):
            return False
        return (_stated_wait(error, self._now()) or 0) <= self._at.retry_cap

    def _wait(self, state: tenacity.RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        if isinstance(error, AskOtherwise):
            return 0.0
        doubled: float = _FIRST_WAIT * 2 ** (state.attempt_number - 1)
        own = min(self._at.retry_cap, doubled) * (1 - self._jitter() / 2)
        return max(_stated_wait(error, self._now()) or 0, own)

    def _said(self, error: BaseException | None) -> str:
        at = self._at.base_url
        if isinstance(error, openai.APITimeoutError):
            return f"{at} did not answer in {self._at.timeout:g} s, in {self._at.attempts} requests"
        if isinstance(error, openai.APIConnectionError):
            return f"nobody answers at {at}, in {self._at.attempts} requests ({error.__cause__ or error})"
        if not isinstance(error, openai.APIStatusError):
            return f"{at} answered what cannot be read ({error})"
        said = f"{at} answered HTTP {error.status_code}: {self._words(error)}"
        if _is_quota(error):
            return f"{said} (the quota of the account is used up; asking again does not help)"
        stated = _stated_wait(error, self._now()) or 0
        if _passing(error) and stated > self._at.retry_cap:
            return (
                f"{said} (it asks to wait {stated:.0f} s, longer than GRAPHMEM_LLM__RETRY_CAP, "
                f"{self._at.retry_cap:g} s: try again later, or raise that)"
            )
        return f"{said} (after {self._at.attempts} requests)" if _passing(error) else said

    def _words(self, error: openai.APIStatusError) -> str:
        body = error.body
        said = body.get("message") if isinstance(body, dict) else body
        whole = without_key(str(said or body or error.message), self._key)  # else a cut could leave half of a key
        return " ".join(whole.split())[:QUOTED]

    def _shown(self, error: BaseException | None) -> BaseException | None:
        """The error as a cause, unless it or one of its own causes repeats the key."""
        link = error
        while link is not None:
            shown = f"{link!r} {link}"
            if without_key(shown, self._key) != shown:
                return None
            link = link.__cause__ or link.__context__
        return error


def _told(raised: BaseException) -> BaseException | None:
    """What the endpoint said, where a request wanted to be asked otherwise and there was no request left."""
    return raised.__cause__ if isinstance(raised, AskOtherwise) else raised


def _passing(error: BaseException | None) -> bool:
    if isinstance(error, openai.APIStatusError):
        return error.status_code in (408, 429) or error.status_code >= 500
    return isinstance(error, openai.APIConnectionError)


def _is_quota(error: BaseException) -> bool:
    return isinstance(error, openai.APIStatusError) and _QUOTA in (error.code, error.type)


def _stated_wait(error: BaseException | None, now: datetime) -> float | None:
    """Seconds until the endpoint wants to be asked again (RFC 9110, 10.2.3), never below 0; None if it does not say."""
    stated = error.response.headers.get("retry-after") if isinstance(error, openai.APIStatusError) else None
    if stated is None:
        return None
    try:
        seconds = float(stated)
    except ValueError:
        try:
            seconds = (utc(email.utils.parsedate_to_datetime(stated)) - now).total_seconds()
        except (ValueError, OverflowError):
            return None
    return None if math.isnan(seconds) else max(0.0, seconds)
