"""Settings: every one by environment variable, with a safe default."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path

from dataagent import secrets_file
from dataagent.database_url import database_settings, warehouse_urls
from dataagent.deployment import DEFAULT_HOSTS, Deployment, Mode

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
"""Vectors are computed on one thread: several spin against each other, 30 times slower on a busy machine.
Set here because it counts only before numpy is first imported."""

BASE_DIR = Path(__file__).resolve().parent.parent
HOME = Path(os.environ.get("DATAAGENT_HOME", BASE_DIR / ".dataagent")).resolve()
MODE = os.environ.get("DATAAGENT_MODE", "demo")
DEMO = MODE == Mode.DEMO
DEBUG = False

_database_url = os.environ.get("DATABASE_URL", "")
EMBEDDED = not _database_url
SECRET_KEY = secrets_file.secret_key(HOME, os.environ.get("SECRET_KEY", ""), may_create=EMBEDDED)

_hosts = os.environ.get("ALLOWED_HOSTS", DEFAULT_HOSTS)
ALLOWED_HOSTS = [h.strip() for h in _hosts.split(",") if h.strip()]
DEPLOYMENT = Deployment(
    mode=MODE,
    secret_key=os.environ.get("SECRET_KEY", ""),
    allowed_hosts=_hosts,
    embedded=EMBEDDED,
    embedded_allowed=os.environ.get("DATAAGENT_ALLOW_EMBEDDED", "") == "1",
)
CSRF_TRUSTED_ORIGINS = [o for o in os.environ.get("CSRF_TRUSTED_ORIGINS", "").split(",") if o]
BROKER_URL = os.environ.get("BROKER_URL", "")

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "rest_framework",
    "drf_spectacular",
    "django_htmx",
    "dataagent",
    "dataagent.accounts",
    "dataagent.policy",
    "catalog",
    "contextcards",
    "dataagent.runs",
    "evals",
    "frontend",
]

MIDDLEWARE = [
    "dataagent.api.middleware.probes_first",
    "django.middleware.security.SecurityMiddleware",
    "frontend.middleware.security_headers",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "frontend.middleware.BodyLimit",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "dataagent.policy.middleware.principal_middleware",
    "frontend.middleware.ShownErrors",
]

ROOT_URLCONF = "dataagent.urls"
ASGI_APPLICATION = "dataagent.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

WAREHOUSES = warehouse_urls(os.environ.get("DATAAGENT_WAREHOUSES", ""))
"""Addresses of PostgreSQL warehouses by workspace; any other workspace has its DuckDB file in the data folder."""
DATABASES = {"default": database_settings(_database_url, HOME)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "accounts.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "/sign-in/"
LOGIN_REDIRECT_URL = "/"
CSRF_FAILURE_VIEW = "frontend.views.errors.expired_form"

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
STATIC_URL = "/static/"
STATIC_ROOT = HOME / "staticfiles"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True

SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
DEVICE_COOKIE_NAME = "device"
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = not DEMO
if not DEMO:
    # Browsers take cookies of these names from this host alone: a neighbouring host can plant none.
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"
    DEVICE_COOKIE_NAME = "__Host-device"
SECURE_HSTS_SECONDS = 0 if DEMO else 365 * 24 * 3600
SECURE_PROXY_SSL_HEADER = None if DEMO else ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["dataagent.api.authentication.TokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["dataagent.api.renderers.ExactJSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["dataagent.api.parsers.LimitedJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "dataagent.api.problems.problem_response",
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Dataagent API",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "DESCRIPTION": "Ask questions, follow runs, read answers and receipts. Errors are problem+json (RFC 9457).",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SERVE_AUTHENTICATION": [],
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"},
        "json": {"()": "dataagent.telemetry.JsonLines"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "json" if os.environ.get("DATAAGENT_LOG_FORMAT", "") == "json" else "plain",
        }
    },
    "loggers": {"sqlglot": {"level": "ERROR"}},
    "root": {"handlers": ["console"], "level": os.environ.get("DATAAGENT_LOG_LEVEL", "WARNING")},
}

TODAY = date.fromisoformat(os.environ["DATAAGENT_TODAY"]) if os.environ.get("DATAAGENT_TODAY") else None
"""The clock of questions.  None: the demo's own day in demo mode, else the real day."""
MAX_ROWS = int(os.environ.get("DATAAGENT_MAX_ROWS", "10000"))
QUERY_TIMEOUT_S = float(os.environ.get("DATAAGENT_QUERY_TIMEOUT_S", "30"))
METRICS_TOKEN = os.environ.get("DATAAGENT_METRICS_TOKEN", "")
BUDGETS = {
    "run": os.environ.get("DATAAGENT_BUDGET_RUN", "queries=200 rows=1000000"),
    "person": os.environ.get("DATAAGENT_BUDGET_PERSON", "queries=20000 seconds=36000"),
    "workspace": os.environ.get("DATAAGENT_BUDGET_WORKSPACE", "queries=200000"),
}
"""What may be taken from a warehouse; docs/settings.md explains."""
RUN_TIMEOUT_S = float(os.environ.get("DATAAGENT_RUN_TIMEOUT_S", "300"))
MEMBERS_EVERY_S = float(os.environ.get("DATAAGENT_MEMBERS_EVERY_S", "600"))
MEMBERS_TIMEOUT_S = float(os.environ.get("DATAAGENT_MEMBERS_TIMEOUT_S", "3600"))
EMBEDDINGS = os.environ.get("DATAAGENT_EMBEDDINGS", "use")
"""How meaning is searched: use (the encoder that comes with pip) or none (words and declared synonyms only)."""
SUITES = Path(os.environ.get("DATAAGENT_SUITES", BASE_DIR.parent / "shared" / "suites"))
