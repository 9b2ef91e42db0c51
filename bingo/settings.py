"""Django's settings: everything that differs between machines comes from the environment."""

import os
import sys
import warnings
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _
from psycopg.conninfo import conninfo_to_dict

from bingo import log_sinks, setting

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(setting("BINGO_DATA", f"{BASE_DIR}/var"))


def _required(name: str) -> str:
    if value := setting(name):
        return value
    raise ImproperlyConfigured(f"{name} is not set: start through manage.py, or see .env.example")


def database(url: str) -> dict[str, object]:
    """Return Django's database settings for a libpq URL."""
    parts = conninfo_to_dict(url)
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": parts.pop("dbname", ""),
        "USER": parts.pop("user", ""),
        "PASSWORD": parts.pop("password", ""),
        "HOST": parts.pop("host", ""),
        "PORT": parts.pop("port", ""),
        # A connection for each of the threads that make pages (bingo/http_server.py), and some for those
        # that watch a hall and stream files.
        "OPTIONS": {"pool": {"min_size": 1, "max_size": 40, "timeout": 10}, **parts},
        "ATOMIC_REQUESTS": False,
        # After a restart of the server the pool still holds connections that are dead.
        "CONN_HEALTH_CHECKS": True,
    }


def _secret_key() -> str:
    """Return the key of this installation, made at first run and kept beside its data."""
    if value := setting("SECRET_KEY"):
        return value
    from secrets import token_urlsafe  # only an installation without SECRET_KEY needs it

    DATA_DIR.mkdir(parents=True, exist_ok=True)
    kept = DATA_DIR / "secret_key"
    try:
        with os.fdopen(os.open(kept, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(token_urlsafe(50))
    except FileExistsError:
        pass
    try:
        return kept.read_text()
    except PermissionError as error:
        raise ImproperlyConfigured(
            f"{kept} belongs to another user: start as root, which ran the hall before, or give the"
            f" folder back with: chown -R USER {DATA_DIR}"
        ) from error


def witnesses(text: str) -> dict[str, tuple[str, str]]:
    """Return the witnesses by name: each is an address, a space and its key; a comma parts them."""
    found = {}
    for one in filter(None, map(str.strip, text.split(","))):
        url, _space, key = one.partition(" ")
        if not url.startswith(("http://", "https://")) or "+" not in key:
            raise ImproperlyConfigured("BINGO_WITNESSES: an address, a space, the witness's key")
        found[key.strip().partition("+")[0]] = (url.rstrip("/"), key.strip())
    return found


def provider(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the chain's OpenID Connect provider, all empty where none is set (docs/signing-in.md)."""
    asked = {
        name: environment.get(f"BINGO_OIDC_{name}", "").strip()
        for name in ("ISSUER", "CLIENT", "LABEL", "ACR")
    }
    issuer = urlsplit(asked["ISSUER"])
    if asked["ISSUER"] and not (asked["CLIENT"] and asked["LABEL"]):
        raise ImproperlyConfigured("BINGO_OIDC_ISSUER needs BINGO_OIDC_CLIENT and BINGO_OIDC_LABEL")
    here = issuer.hostname in ("127.0.0.1", "::1", "localhost")
    if asked["ISSUER"] and issuer.scheme != "https" and not (issuer.scheme == "http" and here):
        raise ImproperlyConfigured(
            "BINGO_OIDC_ISSUER is an address of https, or of http on this machine itself"
        )
    if issuer.query or issuer.fragment or issuer.username or len(asked["ISSUER"]) > 200:
        raise ImproperlyConfigured(
            "BINGO_OIDC_ISSUER is an address of 200 signs at most, without a query or a name in it"
        )
    return asked


SECRET_KEY = _secret_key()
DEBUG = False
# The page of all pieces that pages are made of is for whoever develops them.
COMPONENTS = setting("COMPONENTS") == "1"
ALLOWED_HOSTS = setting("ALLOWED_HOSTS", "127.0.0.1,localhost").split(",")
CSRF_TRUSTED_ORIGINS = [o for o in setting("TRUSTED_ORIGINS").split(",") if o]
HTTPS = setting("HTTPS") == "1"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SECURE, LANGUAGE_COOKIE_HTTPONLY, LANGUAGE_COOKIE_SAMESITE = HTTPS, True, "Lax"
# A browser that has seen the hall over HTTPS never goes back for a year (docs/operations.md).
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS

# Over HTTPS no other host and no plain page can set a cookie of ours (halls/web/middleware.py).
COOKIE_PREFIX = "__Host-" if HTTPS else ""
SESSION_COOKIE_NAME = f"{COOKIE_PREFIX}sessionid"
CSRF_COOKIE_NAME = f"{COOKIE_PREFIX}csrftoken"
LANGUAGE_COOKIE_NAME = f"{COOKIE_PREFIX}django_language"
SESSION_ENGINE = "halls.web.middleware"
SESSION_COOKIE_AGE = 14 * 3600
# Who is believed when a request says for whom it asks, and whether that came by HTTPS: addresses and
# networks, none by default (bingo/proxies.py, which reads and removes what such headers say).
TRUSTED_PROXIES = [one for one in setting("TRUSTED_PROXIES").split(",") if one]
if HTTPS and not TRUSTED_PROXIES:
    raise ImproperlyConfigured(
        "HTTPS=1 needs TRUSTED_PROXIES, the address of the proxy before the hall: 127.0.0.1 where"
        " it runs on this machine (docs/operations.md, Other devices)"
    )
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "halls.web.error_pages.stale_form"

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "channels",
    "django_htmx",
    "csp",
    "halls",
    "draws",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "halls.web.middleware.ProtectionMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "halls.web.middleware.RequestMiddleware",
    "halls.web.middleware.SignInMiddleware",
    "halls.web.middleware.TrainingMiddleware",
    "halls.web.middleware.PlaceMiddleware",
    "halls.web.middleware.LookMiddleware",
    "halls.web.middleware.GivenPasswordMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "connect-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

MESSAGE_STORAGE = "halls.web.middleware.HallMessages"

# Who may keep the pages busy, and how long (bingo/connection_limits.py, bingo/http_server.py; docs/operations.md).
# Connections in all: 300 phones with six connections and two sockets each, and the hall's screens
# and desks. Never more than the system gives descriptors for.
CONNECTIONS = int(setting("CONNECTIONS", "4000"))
# Connections of one address, but of a proxy that is named: forty browsers with six each. Beyond it
# the one that has kept its request longest is closed for the one that comes.
CONNECTIONS_PER_ADDRESS = int(setting("CONNECTIONS_PER_ADDRESS", "256"))
# Sockets of one address: the boards of 300 phones behind one router, with the camera, and screens.
SCREENS_PER_ADDRESS = int(setting("SCREENS_PER_ADDRESS", "1000"))
HEAD_SECONDS = float(setting("HEAD_SECONDS", "10"))  # until the head of a request is there
BODY_SECONDS = float(
    setting("BODY_SECONDS", "20")
)  # until its body is, and a second more for each BODY_RATE bytes of it
BODY_RATE = 16_384  # bytes a second, of a poor network
IDLE_SECONDS = float(setting("IDLE_SECONDS", "15"))  # between two requests of a connection
PROXY_IDLE_SECONDS = float(
    setting("PROXY_IDLE_SECONDS", "180")
)  # the same of a proxy, which closes it before, after two minutes (Caddy)
WRITE_SECONDS = float(
    setting("WRITE_SECONDS", "60")
)  # in which whoever is answered must take something of the answer

ROOT_URLCONF = "bingo.urls"
ASGI_APPLICATION = "bingo.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "halls.web.menu_and_theme.frame",
            ],
            # What nearly every page uses needs no {% load %} in each.
            "builtins": [
                "django.templatetags.i18n",
                "django.templatetags.l10n",
                "django.templatetags.static",
                "django.templatetags.tz",
                "halls.templatetags.forms",
                "halls.templatetags.hall",
                "halls.templatetags.parts",
                "draws.templatetags.cards",
                "draws.templatetags.words",
            ],
        },
    }
]

DATABASES = {"default": database(_required("DATABASE_URL"))}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = _required("REDIS_URL")
CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://", 1)

AUTH_USER_MODEL = "halls.Person"
AUTHENTICATION_BACKENDS = ["halls.web.middleware.Backend"]
PASSWORD_HASHERS = ["halls.passwords.Argon2"]
# A hash keeps one processor busy for a quarter of a second: sales need another one meanwhile.
PASSWORDS_AT_ONCE = max(1, min(4, (os.cpu_count() or 1) // 2))
PASSWORDS_WAITING = 6  # more would wait longer than anybody does; each waits in a thread
PASSWORDS_PATIENCE = 8.0  # seconds
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"

LANGUAGE_CODE = "pt"
LANGUAGES = [
    ("pt", _("Portuguese")),
    ("es", _("Spanish")),
    ("gl", _("Galician")),
    ("ca", _("Catalan")),
    ("en", _("English")),
]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "bingo.locale_formats"
TIME_ZONE = "UTC"
USE_I18N = USE_TZ = True

STATIC_URL = "/static/"  # the same under training's addresses
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
if "runserver" in sys.argv or "pytest" in sys.modules:
    STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
    # Files are looked for when they are asked for: a test's client would list them all at its start.
    WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = True

# How long the hall has to answer "any more?" at the least (R46); the table chief decides the rest.
CLAIM_WINDOW_SECONDS = float(setting("CLAIM_WINDOW_SECONDS", "3"))

# How much of the pace between two balls of the RNG is kept (R31): all of it, but where games are
# tried faster than anybody plays them.
RNG_PACE = float(setting("RNG_PACE", "1"))

# The public key by which inspectors' accounts are vouched for (docs/inspection.md); empty for none.
REGULATOR_KEY = setting("BINGO_REGULATOR_KEY").strip()
KEYS_DIR = Path(setting("BINGO_KEYS", f"{DATA_DIR}/keys"))
# How actas are sealed (docs/acta.md): a level above B-B needs an authority that stamps the time.
SEAL_TSA_URL = setting("BINGO_TSA_URL")
SEAL_TSA_CERTIFICATE = setting("BINGO_TSA_CERTIFICATE")
SEAL_LEVEL: str = setting("BINGO_SEAL_LEVEL", "B-T" if SEAL_TSA_URL else "B-B")
if SEAL_LEVEL not in ("B-B", "B-T", "B-LTA"):
    raise ImproperlyConfigured("BINGO_SEAL_LEVEL is B-B, B-T or B-LTA")
# Where checkpoints of the journals are written, each a folder that is there (docs/checkpoints.md).
CHECKPOINT_DIRS = [one for one in setting("BINGO_CHECKPOINTS").split(os.pathsep) if one]
# Witnesses elsewhere to which they are sent, by name: where each answers, and its key.
WITNESSES = witnesses(setting("BINGO_WITNESSES"))
PRINTS_DIR = DATA_DIR / "prints"
EXPORTS_DIR = DATA_DIR / "exports"
PICTURES_DIR = DATA_DIR / "pictures"
CERTIFICATES_DIR = DATA_DIR / "certificates"
# Where the process that draws the numbers listens (docs/randomness.md).
RNG_DIR = DATA_DIR / "rng"
# Whether a camera may be on this machine, as a recorder that passes its pictures on is.
CAMERA_LOOPBACK = setting("CAMERA_LOOPBACK") == "1"
# Whether a receipt printer may be, as a program that passes slips on to one is.
PRINTER_LOOPBACK = setting("PRINTER_LOOPBACK") == "1"

# The chain's own provider, by which people may sign in beside the password; what proves the hall to
# it lies in a file that the pages' user alone reads.
PROVIDER = provider(os.environ)
PROVIDER_SECRET = DATA_DIR / "oidc_secret"

# WhiteNoise and the journal's download stream from plain iterators; Django reads them in a thread.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous")

# Where the security log goes besides its file (docs/operations.md): onto stdout, and to an address
# of syslog+udp://, syslog+tcp:// or https://.
SECURITY_LOG_STDOUT = setting("BINGO_SECURITY_LOG_STDOUT") == "1"
SECURITY_LOG_TO = setting("BINGO_SECURITY_LOG_TO")
if SECURITY_LOG_TO:
    try:
        log_sinks.receiver(SECURITY_LOG_TO)
    except ValueError as error:
        raise ImproperlyConfigured(f"BINGO_SECURITY_LOG_TO: {error}") from error

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {"format": "{asctime} {levelname} {name} {message:.500}", "style": "{"}
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
}
