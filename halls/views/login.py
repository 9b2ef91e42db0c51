"""The door: a name, a password, and the person's own page behind it."""

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.core.validators import MaxLengthValidator

from halls.models import Person

LONGEST = 150  # as Person.username; the log of attempts could not hold much more


class Credentials(AuthenticationForm):
    """Django's form, with names no longer than a person's can be."""

    def __init__(self, *arguments: object, **named: object) -> None:
        super().__init__(*arguments, **named)  # type: ignore[arg-type]
        self.fields["username"].validators.append(MaxLengthValidator(LONGEST))

    def confirm_login_allowed(self, user: Person) -> None:
        """Let nobody in as an account of a training hall: one practises from one's own."""
        super().confirm_login_allowed(user)
        if user.hall.is_training:
            raise self.get_invalid_login_error()


class Login(LoginView):
    """Logs a person in."""

    template_name = "login.html"
    authentication_form = Credentials
