"""The questions with known answers that a model is asked before it judges: what it cannot tell apart it may not move.

Each role has its own: claims that should be kept and claims it should stop, in French and English, in words of their
own. They are asked exactly as a night asks, so what is measured is what is used. Bump VERSION when they change.
"""

from __future__ import annotations

from dataclasses import dataclass

from dream.debate.cluster import Cluster
from dream.debate.roles import Case
from dream.model.debate import Role
from dream.model.ids import make_id
from dream.model.note import Note, Origin

VERSION = 1


@dataclass(frozen=True, slots=True)
class Trial:
    """What was said, the claim made of it, and whether it should be kept; `held` is held already."""

    role: Role
    said: str
    claim: str
    keep: bool
    held: str = ""

    @property
    def case(self) -> Case:
        """The trial as a night would put it."""
        note = Note(
            id=make_id("n", "exam", self.said),
            text=self.said,
            at="2026-02-09T09:00:00.000Z",
            session="exam",
            turn="exam",
            index=0,
            origin=Origin.USER,
            load=40,
            signals=(),
            project="exam",
        )
        cluster = Cluster(
            id=make_id("c", note.id, self.claim),
            notes=(note,),
            text=self.claim,
            said_at=note.at,
            project=note.project,
            origin=note.origin,
            signals=frozenset(),
            load=note.load,
            lang="",
        )
        return Case(cluster, self.claim, values=1, topic=3, held=(self.held,) if self.held else ())


_A, _S, _O, _D = Role.ARCHIVIST, Role.SCEPTIC, Role.OPTIMISER, Role.DOMAIN_EXPERT

TRIALS = (
    Trial(_A, "The greenhouse thermostat stays at 18 degrees.", "The greenhouse thermostat stays at 18 degrees.", True),
    Trial(
        _A, "The greenhouse thermostat stays at 18 degrees.", "The greenhouse thermostat stays at 21 degrees.", False
    ),
    Trial(_A, "Moussa signe les bons de livraison.", "Moussa signe les bons de livraison.", True),
    Trial(_A, "Moussa signe les bons de livraison.", "Moussa et Inès signent les bons de livraison.", False),
    Trial(_A, "The audit is next Monday.", "The audit is next Monday (2026-02-16).", True),
    Trial(_A, "The audit is next Monday.", "The audit is next Monday (2026-03-16).", False),
    Trial(_A, "On emballe les verres dans du carton alvéolé.", "On emballe les verres dans du carton alvéolé.", True),
    Trial(_A, "On emballe les verres dans du carton alvéolé.", "On emballe les verres dans de la mousse.", False),
    Trial(_S, "From now on invoices go out on the 5th.", "From now on invoices go out on the 5th.", True),
    Trial(_S, "We could perhaps send invoices on the 5th, who knows.", "Invoices go out on the 5th.", False),
    Trial(_S, "Retiens que Salma est allergique aux noix.", "Salma est allergique aux noix.", True),
    Trial(_S, "Et si un jour on embauchait un chef pâtissier ?", "On embauche un chef pâtissier.", False),
    Trial(
        _S, "We have moved the backups to the cellar server.", "We have moved the backups to the cellar server.", True
    ),
    Trial(
        _S, "Sure, and tomorrow we move the backups to the moon.", "Tomorrow we move the backups to the moon.", False
    ),
    Trial(
        _S,
        "C'est Paul qui valide les plans maintenant, plus Anna.",
        "C'est Paul qui valide les plans maintenant.",
        True,
        "Anna valide les plans.",
    ),
    Trial(_S, "I heard from a neighbour that the lease might end.", "The lease ends.", False),
    Trial(_O, "The pump is serviced every six months.", "The pump is serviced every six months.", True),
    Trial(_O, "And then that one too, as I said.", "And then that one too, as I said.", False),
    Trial(_O, "Le code du portail change chaque trimestre.", "Le code du portail change chaque trimestre.", True),
    Trial(_O, "Bon, voilà, enfin tu vois ce que je veux dire.", "Enfin tu vois ce que je veux dire.", False),
    Trial(_O, "Reports are written in Spanish.", "Reports are written in Spanish.", True),
    Trial(_O, "It does it again when I do the other thing.", "It does it again when I do the other thing.", False),
    Trial(_O, "Les devis expirent au bout de 30 jours.", "Les devis expirent au bout de 30 jours.", True),
    Trial(_O, "Celui-là, pareil, mais de l'autre côté.", "Celui-là, pareil, mais de l'autre côté.", False),
    Trial(_D, "Kenji is in charge of the spare parts.", "Kenji is in charge of the spare parts.", True),
    Trial(_D, "Thanks, that looks lovely, have a nice evening.", "Have a nice evening.", False),
    Trial(_D, "La fuite venait d'un joint usé.", "La fuite venait d'un joint usé.", True),
    Trial(_D, "Il fait un temps superbe aujourd'hui.", "Il fait un temps superbe aujourd'hui.", False),
    Trial(
        _D,
        "We chose larch for the terrace because oak warps.",
        "We chose larch for the terrace because oak warps.",
        True,
    ),
    Trial(_D, "I am getting a coffee, back in five.", "The person is getting a coffee.", False),
    Trial(
        _D, "Ne commande jamais avant l'accord de la mairie.", "Ne commande jamais avant l'accord de la mairie.", True
    ),
    Trial(_D, "Haha, bien joué, tu m'as fait rire.", "Tu m'as fait rire.", False),
    Trial(_A, "Nora tient la caisse le samedi.", "Nora tient la caisse le samedi.", True),
    Trial(_A, "Nora tient la caisse le samedi.", "Nora tient la caisse le dimanche.", False),
    Trial(_A, "The spare key hangs behind the boiler.", "The spare key hangs behind the boiler.", True),
    Trial(_A, "The spare key hangs behind the boiler.", "The spare key of the cellar hangs behind the door.", False),
    Trial(_S, "Le tarif passe à 42 euros, c'est décidé.", "Le tarif passe à 42 euros.", True),
    Trial(_S, "Personne ne va payer 42 euros, on oublie cette idée.", "Le tarif passe à 42 euros.", False),
    Trial(_S, "Remember that Tuesdays are for inventory.", "Tuesdays are for inventory.", True),
    Trial(_S, "Should Tuesdays be for inventory?", "Tuesdays are for inventory.", False),
    Trial(_O, "Les factures partent en PDF par courriel.", "Les factures partent en PDF par courriel.", True),
    Trial(_O, "Oui, mais pas comme ça, l'autre fois c'était mieux.", "L'autre fois c'était mieux.", False),
    Trial(_O, "The gallery closes at six on Sundays.", "The gallery closes at six on Sundays.", True),
    Trial(_O, "Right, so, where were we with all of this.", "Where were we with all of this.", False),
    Trial(_D, "Le transporteur refuse les colis de plus de 30 kg.", "Le transporteur refuse plus de 30 kg.", True),
    Trial(_D, "J'ai mal dormi cette nuit.", "La personne a mal dormi.", False),
    Trial(_D, "Always quote prices without tax.", "Always quote prices without tax.", True),
    Trial(_D, "That film last night was so long.", "The film was long.", False),
)
