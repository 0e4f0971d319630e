"""The verbs of health: a probe, the mode in force, a pin with an expiry, and what a mode forbids."""

from __future__ import annotations

from functools import cached_property

from dream.capture.redact import redact
from dream.health.advice import advice
from dream.health.breaker import Breaker
from dream.health.metrics import Meter, scrape
from dream.health.mode import Standing, forbid
from dream.health.picture import Picture
from dream.health.probes import be_seen, take
from dream.house import House
from dream.model.time import days_between
from dream.operations import Measured


class Vigil:
    """Verbs over one opened house."""

    def __init__(self, house: House) -> None:
        self._house = house

    @cached_property
    def breaker(self) -> Breaker:
        house = self._house
        return Breaker(house.home, house.clock, house.operations.lock, lambda: take(house))

    @cached_property
    def meter(self) -> Meter:
        """Counts what the verbs do."""
        return Meter(self._house.operations.state)

    def standing(self) -> Standing:
        """The mode in force and why, without a probe."""
        return self.breaker.standing()

    def probe(self) -> Standing:
        """Look at everything now, step the breaker, and say how things stand."""
        return self.breaker.probe()

    def measured(self, fresh_seconds: float = 15.0) -> list[Measured]:
        """Every metric with its values now; a probe is taken where the last is older than `fresh_seconds`."""
        return list(scrape(self._house, self.fresh(fresh_seconds)))

    def fresh(self, seconds: float) -> Standing:
        """How things stand, by a probe where the last one is older than `seconds`."""
        standing, now = self.standing(), self._house.clock.now()
        be_seen(self._house, now)
        if standing.probed and 0 <= days_between(standing.probed, now) * 86_400 < seconds:
            return standing
        return self.probe()

    def advice(self, picture: Picture, standing: Standing) -> list[str]:
        """What to do next, the most pressing first."""
        return list(advice(picture, standing))

    def pin_mode(self, name: str, why: str = "", hours: float | None = None) -> Standing:
        """Put a mode in force for some hours (24 where nobody says); AUTO gives it back to the breaker.

        Args:
            why: is shown and stored, without what is secret in it.

        Raises:
            UsageError: no such mode, or a time that is none.
        """
        return self.breaker.pin(name, redact(why, self._house.redact_key)[0], hours)

    def require_writes(self, act: str) -> None:
        """Let a write through where the mode allows it.

        Args:
            act: what would be done, for the sentence: "pin a node".

        Raises:
            ModeForbids: it does not; nothing was written.
        """
        standing = self.standing()
        if not standing.allows.writes:
            raise forbid(standing, act)
