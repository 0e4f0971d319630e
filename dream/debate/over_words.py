"""By which words a sentence says that something is over, and what of it; French and English, folded."""

from __future__ import annotations

# What follows these is over. The longest phrase wins; matching is on folded words.
OVER_AFTER = """\
instead of|in place of|rather than|no longer|not the|and not|et non plus|et non|au lieu de|au lieu d
|a la place de|a la place d|plutot que|n'est plus|ne sont plus|n'utilise plus|n'utilisons plus|replaced
|replaces|replace|replacing|remplace|remplacent|remplacera|oublie|oubliez|forget|scratch|dropped|we left
|on quitte|nous quittons|abandonne|abandonnons|takes over from|took over from|prend la suite de|succede a
|succeeds|in lieu of|used to be|it was|c'etait|avant c'etait|previously|auparavant|en disant|when i said
|i said|goodbye|adieu|exit|fini|finis|finie|bye bye|plus question de|on arrete|we stop|we stopped
|stop using|stopped using|retired|retire|deprecated|ditched|on lache|moved from|switched from
|migrated from|changed from|went from|goes from|passe de|passent de|passera de|passons de|moved off
|away from|moved away from|unlike|contrairement a|and no longer|down from|up from|not|on a debranche
|nous avons debranche|debranche|on enleve|on supprime|on vire|on a vire|vire|we dropped|we drop|got rid of
|get rid of|we killed|we axed|switched off|turned off|shut down|decommissioned|we retired|on laisse tomber
|on a laisse tomber|on a abandonne|on a lache|on a quitte|on a remplace|a remplace|ont remplace
|has replaced|have replaced|had replaced|plus de|no more|, pas de|, pas|scrap|scrapped|bin|binned|throw out
|threw out|say goodbye to|au revoir|bye|enough of|fini les|finies les|fini le|finie la|exit les
|we no longer use|we do not use|we do not do|ne sert plus|on a arrete|stopped|we moved off|c'est plus
|est plus|et pas|mais pas|but not|ditching|dropping|leaving|quitting|on sort de|sortis de|parti de
|partie de|partis de|parties de|sorti de|sortie de
|rather than the|over from|prend la place de|prennent la place de|pris la place de|prend la place d
|prend la releve de|prendra la place de|takes the place of|took the place of|taken the place of
|takes the seat of|took the seat of|taken the seat of
|takes the role of|taken the role of|marre de|marre d
|assez de|fed up with|sick of|detrone|supplante|evince|on jette
|on largue|se separe de|on tourne la page de|dit adieu a|on delaisse|say farewell to|farewell|had enough of
|on remise|on range|we retire|retiring|i deleted|we deleted|i removed|we removed|j'ai debranche|j'ai vire
|j'ai supprime|j'ai enleve|j'ai abandonne|j'ai quitte|j'ai lache|je quitte|je lache|i dropped|i left
|i unplugged|i ditched|i got rid of|on ne veut plus de|no further|unplugged|outgrew|tired of|on a sorti|nous avons sorti
|on a retire|nous avons retire|migre de|migrent de|bouge de|bougent de|monte de|descend de|glisse de|saute de|recule de
|until now|up to now|till now|formerly|anciennement|precedemment|on eteint|on coupe|on a coupe|on a jete|on a brule
|we burned|we switch off|we switched off|we shut down|we turned off|we closed|beat|beats|wins over|won over
|l'emporte sur|a emporte sur|bat|a battu|where it read|where it said|where we had|where i said|where we said
|avance de|tombe de|va de|et plus""".replace("\n", "").split("|")

# These end what follows beside what holds now (`now 5, it was 3`); opening a sentence they only tell (`it was fun`).
PAST = frozenset(("it was", "etait", "c'etait"))

# These end what stands before them only where nothing more is said of it.
BARE = frozenset(
    """is out|are out|is gone|are gone|has gone|is over|is off|is closed|are closed|was closed|est ferme|est fermee|left
|est plus|sont plus|ne sont plus|quitte|leaves""".replace("\n", "").split("|")
)
ENDS = frozenset(
    ", . ; : ! ? — – ( ) now since and so but because for us as today yesterday maintenant depuis et donc mais car"
    " nous hier aujourd'hui the le la".split()
) | {""}

_BEFORE = """\
is out|are out|is gone|are gone|is dead|is over|is retired|is deprecated|was retired|was dropped
|is dropped|has been dropped|has left|is leaving|left the|nous quitte|est parti|est partie|s'en va
|c'est fini|est fini|est finie|c'est termine|est termine|est terminee|sont termines|n'existe plus
|n'est plus|ne sont plus|est abandonne|est abandonnee|est remplace|est remplacee|is replaced|was replaced
|are replaced|est mort|est morte|left|has gone|no longer applies|ne s'applique plus|is no more|goes away
|disparait|is history|appartient au passe|est caduc|got switched off|was switched off|is switched off
|were switched off|has been switched off|got turned off|was turned off|is off|got retired|est debranche
|est debranchee|a ete debranche|a ete debranchee|est coupe|est coupee|a ete coupe|a ete coupee
|a ete supprime|a ete supprimee|a ete arrete|est arrete|est arretee|c'etait bien|c'etait sympa|etait bien
|was nice|was fine|was good|was great|had its day|a fait son temps|ne sert plus|ne tourne plus
|ne marche plus|ne fonctionne plus|n'est plus utilise|n'est plus la|is leaving us|leaves|leaves us|quits
|resigned|a demissionne|prend sa retraite|retires|is retiring|quitte|part en retraite|gets retired
|is closed|was closed|are closed|est ferme|est fermee|is deleted|was deleted|has been replaced
|have been replaced|got replaced|a ete remplace|a ete remplacee|ont ete remplaces|is obsolete|est obsolete
|is outdated|est perime|lost out to|loses out to|lost to|gives way to|gave way to|makes way for|made way for|gives way
|gave way|yields to|bows out|bowed out|steps down|stepped down|stepped aside|has let go of|let go of|lets go of
|cede la place|laisse la place|a cede la place|passe la main|passe le relais|tire sa reverence|n'a plus cours|part pour
|part chez|part en retraite|prend le large|s'efface|leaves for|is off to|moves on|moved on|c'est du passe
|c'est de l'histoire ancienne|belongs to the past|n'est plus de mise|goes into retirement|passe a la trappe
|tombe a l'eau|n'est plus d'actualite|has been put out of service|out and|lapsed|has lapsed|a pris fin|prend fin
|came to an end|comes to an end|took another role|takes another role|part sur|changed jobs
|changes jobs|a change de poste|change de poste
|doesn't stand|does not stand|n'a plus lieu d'etre|est range|est rangee|est au placard""".replace("\n", "").split("|")

_ENDED_EN = (
    "replaced retired dropped removed deleted deprecated decommissioned unplugged disabled uninstalled discontinued"
    " scrapped binned abandoned axed closed cancelled ended stopped struck superseded withdrawn lifted revoked".split()
)
_ENDED_FR = (
    "remplace retire abandonne supprime arrete coupe ferme debranche desactive desinstalle raye barre ecarte enleve"
    " jete vire remise delaisse leve annule eteint".split()
)
_BEEN_EN = ("is", "are", "was", "were", "got", "gets", "has been", "have been", "had been", "will be")
_BEEN_FR = ("est", "sont", "a ete", "ont ete", "etait", "etaient", "sera", "seront")

# What stands before these is over; the passives of what ends a thing are made here.
OVER_BEFORE = [
    *_BEFORE,
    *(f"{been} {ended}" for been in _BEEN_EN for ended in _ENDED_EN),
    *(f"{been} {ended}{form}" for been in _BEEN_FR for ended in _ENDED_FR for form in ("", "e", "s", "es")),
]

# One thing is given for another, or struck: what stands between the verb and the word on the right is over.
GIVEN_FOR = {
    **dict.fromkeys(("swapped", "swap", "traded", "trade", "exchanged", "ditched", "left", "leave", "leaves"), "for"),
    **dict.fromkeys(("quit", "quits", "dropped", "drop", "abandoned", "abandon"), "for"),
    **dict.fromkeys(("troque", "troquons", "echange", "echangeons", "lache", "quitte"), "contre"),
    **dict.fromkeys(("delaisse", "delaissons", "abandonne", "abandonnons", "quittons"), "pour"),
    **dict.fromkeys(("cross", "crossed", "strike", "struck", "turn", "turned", "switch", "switched"), "off"),
    **dict.fromkeys(
        ("voted", "throw", "threw", "kick", "kicked", "phase", "phased", "rule", "ruled", "take", "took"), "out"
    ),
}

# A phrase of what is over ends at one of these.
STOPS = frozenset(
    """for pour dans in on sur since depuis et and to par with by a au aux avec mais but because car as at chez ;
    vers contre , . : ( ) ! ? → = — – we on nous i je it il elle that which qui que our notre c'est il""".split()
)
