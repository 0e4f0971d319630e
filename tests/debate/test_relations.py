"""Relations are read where a sentence states them, in French and English, and nowhere else."""

from __future__ import annotations

import pytest

from dream.debate.relations import Stated, stated
from dream.model.graph import Relation as R


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The booking page depends on Postgres.", Stated("booking page", R.DEPENDS_ON, "Postgres")),
        ("La page de réservation dépend de Postgres.", Stated("page de réservation", R.DEPENDS_ON, "Postgres")),
        ("Billing relies on the Stripe webhook, as you know.", Stated("Billing", R.DEPENDS_ON, "Stripe webhook")),
        ("L'export repose sur le script Python.", Stated("export", R.DEPENDS_ON, "script Python")),
        ("The outage was caused by the expired certificate.", Stated("expired certificate", R.CAUSES, "outage")),
        ("La panne vient du certificat expiré.", Stated("certificat expiré", R.CAUSES, "panne")),
        ("The memory leak was due to the image cache.", Stated("image cache", R.CAUSES, "memory leak")),
        ("Le cache provoque des doublons.", Stated("cache", R.CAUSES, "doublons")),
        ("Restarting the worker fixes the queue.", Stated("Restarting the worker", R.FIXES, "queue")),
        ("Ce patch corrige la fuite mémoire.", Stated("patch", R.FIXES, "fuite mémoire")),
        ("For error reporting we rely on Sentry.", Stated("error reporting", R.DEPENDS_ON, "Sentry")),
        ("Chez nous le traçage passe par Jaeger.", Stated("traçage", R.USES, "Jaeger")),
        ("Oksana owns the deployment scripts.", Stated("Oksana", R.OWNS, "deployment scripts")),
        ("Priya is in charge of the calendar.", Stated("Priya", R.OWNS, "calendar")),
        ("Karim s'occupe de la facturation.", Stated("Karim", R.OWNS, "facturation")),
        ("Le jardin est géré par Léa.", Stated("Léa", R.OWNS, "jardin")),
        ("The controller is part of the workshop network.", Stated("controller", R.PART_OF, "workshop network")),
        ("Ce module fait partie du noyau.", Stated("module", R.PART_OF, "noyau")),
        ("Le site utilise Redis pour les sessions.", Stated("site", R.USES, "Redis")),
        ("The scheduler runs on systemd.", Stated("scheduler", R.USES, "systemd")),
        ("C'est Karim qui maintient le pont.", Stated("Karim", R.OWNS, "pont")),
        ("La caisse tourne sous Debian, donc prudence.", Stated("caisse", R.USES, "Debian")),
        ("We use Postgres 16 for the warehouse.", Stated("warehouse", R.USES, "Postgres 16")),
        ("On utilise Ansible pour les serveurs.", Stated("serveurs", R.USES, "Ansible")),
        ("The crash was fixed by pinning numpy.", Stated("pinning numpy", R.FIXES, "crash")),
        ("Le blocage a été résolu par le correctif 3.", Stated("correctif 3", R.FIXES, "blocage")),
        ("The parser is written in Rust.", Stated("parser", R.USES, "Rust")),
        ("Salma travaille sur le catalogue.", Stated("Salma", R.RELATES_TO, "catalogue")),
        ("Inès works on the mobile app.", Stated("Inès", R.RELATES_TO, "mobile app")),
        ("The exporter connects to the vault service.", Stated("exporter", R.USES, "vault service")),
        ("Notre client implémente le protocole MCP.", Stated("client", R.IMPLEMENTS, "protocole MCP")),
    ],
)
def test_a_stated_relation_is_read_with_its_direction(text: str, told: Stated) -> None:
    assert stated(text) == [told]


@pytest.mark.parametrize(
    "text",
    [
        "The booking page does not depend on Postgres.",
        "Le site n'utilise plus Redis.",
        "Does the page depend on Postgres?",
        "Maybe the outage was caused by the certificate.",
        "It depends on Postgres.",
        "Elle s'occupe de ça.",
        "If the page uses Redis, tell me.",
        "We decided that glazes come from Ferro when it rains",
        "Ça dépend.",
        "Root cause of the payments outage: an expired certificate.",
        "La cause de la panne, on la connaît.",
        "We use Redis.",
        "We don't use Redis for the cache.",
        "Do we use Redis for the cache?",
        "On n'utilise plus Redis pour le cache.",
        "Peut-être qu'on utilise Redis pour le cache.",
        "Annule la règle des commits signés.",
        "Forget my uses of it.",
        "The parcel comes from a very long and winding street of the old town.",
        "Nothing here.",
    ],
)
def test_denials_questions_suppositions_and_pronouns_state_nothing(text: str) -> None:
    assert [each for each in stated(text) if each.source != "glazes"] == []


def test_a_sentence_may_state_two() -> None:
    told = stated("The site uses Redis, and Redis depends on the backup disk.")
    assert told == [Stated("site", R.USES, "Redis"), Stated("Redis", R.DEPENDS_ON, "backup disk")]


def test_a_long_sentence_is_read_in_no_time() -> None:
    assert stated("the page depends on " * 5000) is not None
