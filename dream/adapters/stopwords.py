"""The words that carry no load in a query or a note, French and English, with and without accents.

Words that are empty in one language but tell something in the other (`car`, `son`, `main`, `comment`, `thé`) stay out
of the list: the index's own frequencies weigh them.
"""

from __future__ import annotations

_ENGLISH = """
a about above after again all also am an and any are aren as at be because been before being below between both but by
can cannot could couldn did didn do does doesn doing don down during each either else ever every few for from further
had hadn has hasn have haven having he her here hers herself him himself his how however i if in into is isn it its
itself just let ll may me might more most much must my myself neither no nor not now of off on once only or other our
ours ourselves out over own please re same shall shan she should shouldn so some such than that the their theirs them
themselves then there these they this those though through to too under until up upon us ve very was wasn we were weren
what whatever when where whether which while who whom whose why will with within without won would wouldn yes yet you
your yours yourself yourselves
"""

_FRENCH = """
ai aie aient ait as au aucun aucune auquel aura aurait aussi autre autres aux auxquelles auxquels avaient avais avait
avec avez aviez avions avoir avons ayant ça ca ce ceci cela celle celles celui ces cet cette ceux chaque ci combien
dans de depuis des desquelles desquels dès donc dont du duquel elle elles en encore entre es est et étaient étais
était etaient etais etait étant etant être etre eu eux ici il ils je jusqu jusque là la laquelle le lequel les
lesquelles lesquels leur leurs lorsque lui ma mais me même meme mêmes memes mes mien mienne moi moins mon ne ni nos
notre nôtre nous on ont où ou oui par parce pas pendant peu peut peux plusieurs pour pourquoi puis puisque quand que
quel quelle quelles quels quelque quelques qui quoi quoique sa sans se sera serait ses si sien sienne soi soit sommes
sont sous suis sur ta te tes toi ton tous tout toute toutes très tres trop tu un une vers voici voilà voila vos votre
vôtre vous y à
"""

STOP_WORDS: frozenset[str] = frozenset((_ENGLISH + _FRENCH).split())
