"""Sign-in by the chain's own OpenID Connect provider: begun, come back from, left; and a link made.

What was begun goes to the browser and back sealed (`halls.sign_in.factors`), in a cookie of ten
minutes: no row is written for a stranger, and an answer is good in the browser that asked alone. The
way there is a link and no form, whose answer browsers let lead to no other site.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login as django_login
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from bingo.rules.refusal import Refusal
from draws.refusals import text
from draws.web.page_lock_and_pin_login import BACKEND
from draws.web.second_factor import local
from halls import attempts, security_log
from halls.attempts import LockedOut, Question
from halls.models import Person
from halls.sign_in import factors, id_token, links, logins, provider
from halls.sign_in.id_token import Expected, Identity
from halls.sign_in.logins import Login, Standing
from halls.web.login import own_login_context
from halls.web.middleware import cookie_name, for_login, login_of

BEGUN = "provider_begun"  # the cookie, and what is sealed in it
LINKING = "provider_linking"  # in the browser's session: until when a link may be begun
SECONDS = 600  # for signing in at the provider
LINK_SECONDS = 300  # from the proof here until the way there
LONGEST_CODE, LONGEST_NEXT = 2000, 1000


@dataclass(frozen=True, slots=True)
class Begun:
    """What a browser began: `verifier` is what the code is given for (PKCE), `link` the login that is linked."""

    state: str
    nonce: str
    verifier: str
    at: float
    next: str = ""
    link: int = 0


@never_cache
@require_GET
def start(request: HttpRequest) -> HttpResponse:
    """Lead to the provider; 409 where it is not there."""
    asked = request.GET.get("next", "")[:LONGEST_NEXT]
    try:
        return _begin(request, next=asked)
    except Refusal as refusal:
        return _refused(request, refusal, next=asked)


@never_cache
@login_required
@require_GET
@for_login
def start_link(request: HttpRequest, person: Person, login: Login) -> HttpResponse:
    """Lead whoever has just shown who they are to the provider, to be linked."""
    if timezone.now().timestamp() > request.session.pop(LINKING, 0):
        return _turned_away(request, Refusal("provider_stale"), is_link=True)
    try:
        links.require_may(person)
        return _begin(request, link=login.pk)
    except Refusal as refusal:
        return _turned_away(request, refusal, is_link=True)


def allow_link(request: HttpRequest) -> HttpResponse:
    """Show the way to the provider to whoever has shown who they are; it is open for five minutes."""
    request.session[LINKING] = timezone.now().timestamp() + LINK_SECONDS
    return render(request, "sign_in/link.html", {"provider": provider.label()})


def _begin(request: HttpRequest, *, next: str = "", link: int = 0) -> HttpResponse:
    """Raises Refusal: provider_off, provider_away."""
    found = provider.discovered()
    state, nonce, verifier = (secrets.token_urlsafe(32) for _one in range(3))
    proof = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=")
    begun = Begun(state, nonce, verifier, timezone.now().timestamp(), next, link)
    answer = HttpResponseRedirect(
        provider.sign_in_address(
            found, back=_back(request), state=state, nonce=nonce, proof=proof.decode()
        )
    )
    answer.set_cookie(
        cookie_name(BEGUN), factors.seal(json.dumps(asdict(begun)), use=BEGUN), max_age=SECONDS,
        secure=settings.SESSION_COOKIE_SECURE, httponly=True, samesite="Lax",
    )  # fmt: skip
    return answer


@never_cache
@require_GET
def come_back(request: HttpRequest) -> HttpResponse:
    """Log in whom the provider tells of, or link whoever is logged in; what was begun is over."""
    begun, at = _begun(request), timezone.now()
    is_link = begun is not None and bool(begun.link)
    try:
        answer = _answered(request, begun, at=at)
    except Refusal as refusal:
        security_log.record(
            "provider_failed", request=request, anybody=is_link, code=refusal.code,
            cause=refusal.values.get("cause", ""),
        )  # fmt: skip
        asked = begun.next if begun else ""
        answer = _turned_away(request, refusal, next=asked, is_link=is_link)
    answer.delete_cookie(cookie_name(BEGUN), samesite="Lax")
    return answer


def _answered(request: HttpRequest, begun: Begun | None, *, at: datetime) -> HttpResponse:
    """Raises Refusal: provider_stale, provider_locked, those of `_identity`, `_log_in` and `_link`."""
    issuer = provider.issuer()
    if begun is None or not hmac.compare_digest(
        request.GET.get("state", "").encode(), begun.state.encode()
    ):
        raise Refusal("provider_stale", cause="state")
    place = str(request.META.get("REMOTE_ADDR") or "")
    try:
        attempt = attempts.begin(Question.PROVIDER, place=place, at=at)
    except LockedOut as locked:
        security_log.record("locked_out", request=request, anybody=False)
        raise Refusal("provider_locked", seconds=locked.seconds) from None
    identity = _identity(request, begun, issuer=issuer, at=at)
    done = (_link if begun.link else _log_in)(request, begun, identity, at=at)
    attempts.succeeded(attempt)
    return done


def _begun(request: HttpRequest) -> Begun | None:
    sealed = request.COOKIES.get(cookie_name(BEGUN), "")
    kept = factors.unseal(sealed, use=BEGUN, seconds=SECONDS)
    return Begun(**json.loads(kept)) if kept else None


def _identity(request: HttpRequest, begun: Begun, *, issuer: str, at: datetime) -> Identity:
    """Return whom the provider tells of.

    Raises Refusal: provider_called_off, provider_refused, provider_token_wrong, provider_away,
    provider_unready.
    """
    sent, found = request.GET, provider.discovered()
    # An answer of another provider, where this one says of whom its answers are (RFC 9207).
    if sent.get("iss", issuer if not found.names_itself else None) != issuer:
        raise Refusal("provider_token_wrong", provider=provider.label(), cause="answer")
    code = sent.get("code", "")
    if "error" in sent or not 0 < len(code) <= LONGEST_CODE:
        cause = sent.get("error", "code")[:40]
        if cause == "access_denied":
            raise Refusal("provider_called_off", provider=provider.label())
        raise Refusal("provider_refused", provider=provider.label(), cause=cause)
    token = provider.token_of(found, code=code, verifier=begun.verifier, back=_back(request))
    expected = Expected(
        issuer=issuer,
        client=settings.PROVIDER["CLIENT"],
        nonce=begun.nonce,
        since=datetime.fromtimestamp(begun.at, UTC),
        acr=settings.PROVIDER["ACR"],
    )
    try:
        # Its times are held against the clock after it came.
        return id_token.read(token, provider.keys_for(found, token), expected, at=timezone.now())
    except id_token.Wrong as wrong:
        raise Refusal(
            "provider_token_wrong", provider=provider.label(), cause=wrong.cause
        ) from None


def _log_in(
    request: HttpRequest, begun: Begun, identity: Identity, *, at: datetime
) -> HttpResponse:
    """Log in, under a new key and as a new login, whoever was logged in before. Raises as `links.signed_in`."""
    person = links.signed_in(issuer=provider.issuer(), subject=identity.subject, at=at)
    request.session.flush()
    request.signed_in_by = "provider"  # type: ignore[attr-defined]  # for the security log
    django_login(request, person, backend=BACKEND)
    login = logins.of(request, person, at=at)
    if identity.vouched:
        logins.note_vouched(login)
    request.session[logins.PIN_OR_PROVIDER] = logins.PROVIDER
    request.session[links.CAME] = bool(provider.discovered().end_session)
    return redirect(local(request, begun.next))


def _link(request: HttpRequest, begun: Begun, identity: Identity, *, at: datetime) -> HttpResponse:
    """Link whoever began it, in the same login. Raises Refusal: provider_stale, those of `links.link`."""
    person, login = request.user, login_of(request)
    if not isinstance(person, Person) or login is None or login.pk != begun.link:
        raise Refusal("provider_stale", cause="login")
    if login.standing(person.roles, at=at) is not Standing.OPEN or login.lacks_proof:
        raise Refusal("provider_stale", cause="login")
    links.link(person=person, issuer=provider.issuer(), subject=identity.subject, at=at)
    told = _("You are linked: from now on %(provider)s signs you in here")
    messages.success(request, told % {"provider": provider.label()})
    return redirect("account")


@never_cache
@require_GET
def leave(request: HttpRequest) -> HttpResponse:
    """Lead to where one signs out at the provider; 409 where that is nowhere."""
    try:
        there = provider.sign_out_address(back=request.build_absolute_uri(reverse("login")))
    except Refusal as refusal:
        return _refused(request, refusal)
    return HttpResponseRedirect(there) if there else redirect("login")


def _back(request: HttpRequest) -> str:
    """Return where the provider leads back to, as it is known there."""
    return request.build_absolute_uri(reverse("provider-return"))


def _refused(request: HttpRequest, refusal: Refusal, *, next: str = "") -> HttpResponse:
    """Show the page of the login, on which the password is a way in as before."""
    shown = own_login_context(request) | {"notice": text.notice(refusal), "next": next}
    return render(request, "web/login.html", shown, status=409)


def _turned_away(
    request: HttpRequest, refusal: Refusal, *, next: str = "", is_link: bool
) -> HttpResponse:
    """Say it on the page where one began: no address of the browser keeps what the provider sent."""
    messages.error(request, text.refusal(refusal), extra_tags=refusal.code)
    asked = {"next": next} if next else None
    return redirect("account") if is_link else redirect(reverse("login", query=asked))


def urls() -> list[URLPattern]:
    """Return the addresses; the provider knows the one of `provider-return`."""
    return [
        path("login/provider/", start, name="provider-start"),
        path("login/provider/return/", come_back, name="provider-return"),
        path("login/provider/leave/", leave, name="provider-leave"),
        path("account/provider/", start_link, name="provider-link"),
    ]
