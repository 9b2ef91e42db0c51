"""Models of the sign-in: second factors, recovery codes, PINs, browsers of tills, links, and logins.

What proves somebody is in no archive and shown to no inspector; secrets of authenticator apps are
sealed with the installation's own key.
"""

from django.db import models
from django.db.models import F, Q

from bingo.rules.sign_in_and_pins import FACTORS, LONGEST_ISSUER, PASSKEY, TOTP, digest_of
from halls.models.constraints import check, unique
from halls.models.hall import Hall, Person

NONE = ""


class Factor(models.Model):
    """A passkey or an authenticator app of a person; it stays when it is removed, without its secrets.

    A passkey has its `credential` id and `public_key` (base64url), the `host` it was made for and the
    `count` its authenticator said last. An app has a sealed `secret`, and the last `step` of time
    whose code was used. Who had it `removed_by` others is told so once, at `told_at`.
    """

    changes = (
        "credential", "public_key", "count", "secret", "step", "used_at", "removed_at", "removed_by",
        "told_at",
    )  # fmt: skip

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="+")
    person = models.ForeignKey(Person, models.PROTECT, related_name="factors")
    kind = models.CharField(max_length=10)
    name = models.CharField(max_length=60)
    credential = models.TextField(blank=True)
    public_key = models.TextField(blank=True)
    host = models.CharField(max_length=253, blank=True)
    count = models.BigIntegerField(default=0)
    secret = models.TextField(blank=True)
    step = models.BigIntegerField(default=0)
    added_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    removed_at = models.DateTimeField(null=True)
    removed_by = models.ForeignKey(Person, models.PROTECT, null=True, related_name="+")
    told_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            check("factor_kind_known", Q(kind__in=FACTORS)),
            unique("factor_credential_once", "credential", condition=~Q(credential="")),
            check(
                "factor_has_its_proof_until_removed",
                Q(removed_at__isnull=False, secret=NONE, public_key=NONE, credential=NONE)
                | Q(removed_at__isnull=True, kind=PASSKEY, secret=NONE)
                & ~Q(credential=NONE)
                & ~Q(public_key=NONE)
                | Q(removed_at__isnull=True, kind=TOTP, public_key=NONE, credential=NONE)
                & ~Q(secret=NONE),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def digest(self) -> str:
        """What the journal knows it by, until it is removed."""
        return digest_of(self.credential, self.public_key, self.secret)


class RecoveryCode(models.Model):
    """One of ten codes on paper, by its SHA-256: 128 bits of chance need no slow hash. Good once."""

    changes = ("used_at",)
    deletable = True

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="+")
    person = models.ForeignKey(Person, models.CASCADE, related_name="recovery_codes")
    digest = models.CharField(max_length=64)
    used_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [unique("recovery_code_once", "person", "digest")]

    def __str__(self) -> str:
        return f"{self.person}"


class Pin(models.Model):
    """A person's PIN at the browsers of tills, hashed; closed after so many `wrong` ones in a row."""

    changes = ("hashed", "wrong", "set_at")
    deletable = True

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="+")
    person = models.OneToOneField(Person, models.CASCADE, related_name="pin")
    hashed = models.CharField(max_length=200)
    wrong = models.PositiveSmallIntegerField(default=0)
    set_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.person}"


class TillBrowser(models.Model):
    """A browser that a manager enrolled where it stands; `digest` is the SHA-256 of what it keeps."""

    changes = ("ended_at",)

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="till_browsers")
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    enrolled_at = models.DateTimeField()
    enrolled_by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            unique("till_browser_name_once", "hall", "name", condition=Q(ended_at__isnull=True)),
        ]

    def __str__(self) -> str:
        return self.name


class ProviderLink(models.Model):
    """Who somebody of the hall is at the chain's OpenID Connect provider: its `issuer` and `subject`.

    One that was ended stays, and lets nobody in.
    """

    changes = ("used_at", "ended_at", "ended_by")

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="+")
    person = models.ForeignKey(Person, models.PROTECT, related_name="provider_links")
    issuer = models.CharField(max_length=LONGEST_ISSUER)
    subject = models.CharField(max_length=255)
    linked_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    ended_by = models.ForeignKey(Person, models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints = [
            unique(
                "provider_subject_is_one_person", "issuer", "subject",
                condition=Q(ended_at__isnull=True),
            ),
            unique("person_has_one_provider_link", "person", condition=Q(ended_at__isnull=True)),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.person}, {self.issuer}"


class SignIn(models.Model):
    """A login of a person in a browser: since when, last used when, locked, proven by a second factor.

    `proven_at` is when a second factor was last shown, None before; `vouched` whether the chain's
    provider said that one was shown to it; `told` the browser as it tells of itself.
    """

    changes = ("seen_at", "locked_at", "proven_at", "vouched", "ended_at")
    deletable = True

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="+")
    person = models.ForeignKey(Person, models.CASCADE, related_name="sign_ins")
    since = models.DateTimeField()
    seen_at = models.DateTimeField()
    locked_at = models.DateTimeField(null=True)
    proven_at = models.DateTimeField(null=True)
    vouched = models.BooleanField(default=False)
    ended_at = models.DateTimeField(null=True)
    told = models.CharField(max_length=300, blank=True)
    address = models.CharField(max_length=45, blank=True)

    class Meta:
        constraints = [check("sign_in_seen_since", Q(seen_at__gte=F("since")))]
        indexes = [
            models.Index(fields=["person"], condition=Q(ended_at__isnull=True), name="sign_in_open")
        ]

    def __str__(self) -> str:
        return f"{self.person}, {self.since}"
