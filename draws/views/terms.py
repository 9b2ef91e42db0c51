"""What the session that is open was opened with."""

from bingo.rules import policies
from bingo.rules.policies import DEFAULT, Policy
from draws.queries.standing import Standing


def policy(now: Standing) -> Policy:
    """Give the hall's own rules as they hold for the session, the defaults without one."""
    return policies.of(now.state.terms) if now.state else DEFAULT
