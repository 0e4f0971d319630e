"""Pairs of statements whose kinship is known, asked of a model before it may say that two are one.

Half say the same, in other words or in the other language; half resemble each other and are two facts. Bump VERSION
when they change.
"""

from __future__ import annotations

from dream.debate.twins import Pair

VERSION = 1

PAIRS = (
    Pair("The greenhouse is heated to 18 degrees.", "La serre est chauffée à 18 degrés.", True),
    Pair("The greenhouse is heated to 18 degrees.", "La serre est arrosée à 18 heures.", False),
    Pair("Moussa signs the delivery notes.", "Les bons de livraison sont signés par Moussa.", True),
    Pair("Moussa signs the delivery notes.", "Moussa imprime les bons de livraison.", False),
    Pair("Nora tient la caisse le samedi.", "On Saturdays Nora is at the till.", True),
    Pair("Nora tient la caisse le samedi.", "On Saturdays Nora opens the shop.", False),
    Pair("Les devis expirent au bout de 30 jours.", "A quote is valid for 30 days.", True),
    Pair("Les devis expirent au bout de 30 jours.", "An invoice is due within 30 days.", False),
    Pair("The spare key hangs behind the boiler.", "You find the second key behind the boiler.", True),
    Pair("The spare key hangs behind the boiler.", "The fuse box hangs behind the boiler.", False),
    Pair("On emballe les verres dans du carton alvéolé.", "Glasses get wrapped in honeycomb cardboard.", True),
    Pair("On emballe les verres dans du carton alvéolé.", "Plates get wrapped in honeycomb cardboard.", False),
    Pair("Reports are written in Spanish.", "Les rapports sont rédigés en espagnol.", True),
    Pair("Reports are written in Spanish.", "Les contrats sont rédigés en espagnol.", False),
    Pair("Kenji looks after the spare parts.", "C'est Kenji qui s'occupe des pièces de rechange.", True),
    Pair("Kenji looks after the spare parts.", "C'est Kenji qui commande les pneus.", False),
    Pair("Ne commande rien avant l'accord de la mairie.", "Never order before the town hall has agreed.", True),
    Pair("Ne commande rien avant l'accord de la mairie.", "Never build before the neighbours have agreed.", False),
    Pair("The gallery closes at six on Sundays.", "On Sundays we shut the gallery at 6 pm.", True),
    Pair("The gallery closes at six on Sundays.", "The museum shop closes at six on Sundays.", False),
    Pair("Le transporteur refuse les colis de plus de 30 kg.", "Parcels above 30 kg are turned away.", True),
    Pair("Le transporteur refuse les colis de plus de 30 kg.", "Parcels above 30 kg cost extra.", False),
    Pair("We chose larch for the terrace because oak warps.", "La terrasse sera en mélèze, le chêne travaille.", True),
    Pair("We chose larch for the terrace because oak warps.", "La clôture sera en mélèze, c'est moins cher.", False),
    Pair("Always quote prices without tax.", "Les prix sont toujours annoncés hors taxes.", True),
    Pair("Always quote prices without tax.", "Les salaires sont toujours annoncés bruts.", False),
    Pair("La fuite venait d'un joint usé.", "A worn seal was what caused the leak.", True),
    Pair("La fuite venait d'un joint usé.", "A worn seal was replaced on the pump.", False),
    Pair("The pump is serviced every six months.", "On révise la pompe deux fois par an.", True),
    Pair("The pump is serviced every six months.", "On vide la cuve deux fois par an.", False),
    Pair("Salma est allergique aux noix.", "Salma cannot eat nuts, she is allergic.", True),
    Pair("Salma est allergique aux noix.", "Salma cannot come on Thursdays.", False),
    Pair("The north dock was repaired in May.", "Le quai nord a été réparé en mai.", True),
    Pair("The north dock was repaired in May.", "Le quai sud a été réparé en mai.", False),
    Pair("Test machines are named after rivers.", "We call the test machines after rivers.", True),
    Pair("Test machines are named after rivers.", "The production machines are named after rivers.", False),
    Pair("Les sauvegardes partent chaque nuit vers la cave.", "Backups go to the cellar every night.", True),
    Pair("Les sauvegardes partent chaque nuit vers la cave.", "Backups are checked in the cellar every night.", False),
    Pair("The choir rehearses in the chapel.", "Les répétitions de la chorale ont lieu à la chapelle.", True),
    Pair("The choir rehearses in the chapel.", "Le concert de la chorale a lieu à la chapelle.", False),
)
