"""How a scenario is written down: a function with a sentence about it, and what it needs."""

from dataclasses import dataclass, field
from typing import Callable

from .engines import Postgres, Redis

@dataclass(frozen=True)
class Scenario:
    run: Callable
    # How the engine is made, by its name.
    engines: dict
    # Options of `apns gateway`, given the folder and the command.
    gateway: Callable
    # Whether it mounts or makes networks, which it does in namespaces of its own.
    isolated: bool = False

    @property
    def name(self):
        return self.run.__name__.rstrip("_")

    @property
    def about(self):
        return " ".join(self.run.__doc__.split())


@dataclass
class Scenarios:
    found: dict = field(default_factory=dict)

    def add(self, redis=Redis, postgres=Postgres, gateway=lambda folder, binary: [], isolated=False):
        """A decorator. An engine that is None does not have the scenario."""

        def note(run):
            engines = {name: make for name, make in (("redis", redis), ("postgres", postgres)) if make}
            scenario = Scenario(run, engines, gateway, isolated)
            self.found[scenario.name] = scenario
            return run

        return note


scenarios = Scenarios()
