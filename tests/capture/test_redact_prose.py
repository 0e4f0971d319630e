"""Passwords in sentences of odd shapes, in French and English, and the talk about passwords that must stay (H16)."""

from __future__ import annotations

import pytest
from redact_recipes import cook

from dream.capture.redact import redact


def clean(text: str) -> str:
    return redact(text)[0]


ODD = [
    "on a dit : « le mot de passe ? {} ! »",
    "mot de passe de la box, au cas où tu le cherches encore demain : {}",
    "{}, voilà le mot de passe de l'atelier",
    "le compte de paie a un mot de passe, à savoir {}",
    "sur la borne, mets {} au lieu du mot de passe d'avant",
    "le sésame du portail, c'est {}",
    "le wifi du bureau d'en bas s'appelle Rivage et sa clé est {}",
    "connecte-toi en tant que gerant avec {}",
    "je crois que le mot de passe, c'était {}",
    "le pass de la visio est {}",
    "« {} », c'est ça le mot de passe ?",
    "the intranet now wants {} instead of the old password",
    "sign in as night_shift with {} and pick the last tab",
    "so {} = the archive password",
    "is {} meeting the password rules, or not?",
    "does `{}` satisfy the password policy?",
    "we ended up choosing {} for the queue's password",
    "the root pw's {}",
    "pswd: {}",
    "the default creds are admin and {}",
    "password for the dashboard\n\n  {}\n\nchange it",
    "the secret word for the gate app is {}",
    "use {} again and the old password goes",
    "changed from {} to something longer, the password I mean",
    "value: {}\n  name: QUEUE_PASSWORD",
    "I keep losing the password for the archive. It's {}.",
    "It's {}. That's the password.",
    "ton mdp a expiré ! Remets {} avant ce soir",
    "u: trainee p: {}",
    "p/w: {}",
    "pw for the build VM = {}",
    "login details: frank@ / {}",
    "the cluster's password, i.e. {}, is old",
    "unlock the tablet with {} and read it",
    "the wifi's {} by the way",
    "the wifi's {} by the way",
    "the keepass opens with '{}', as before",
    "| user | password |\n| --- | --- |\n| ada | {} |",
]


@pytest.mark.parametrize(
    "frame",
    [
        "the old laptop unlocks with '{}'",
        "le coffre s'ouvre avec « {} », retiens-le",
        'the backup volume decrypts with "{}"',
        "spare disk unlocks with: {}",
        "the archive opens with these words: {}.",
    ],
)
def test_h16_words_between_quotes_that_open_a_safe_go(frame: str) -> None:
    words = "three otters under a loud roof"
    text, kinds = redact(frame.format(words))
    assert words not in text and kinds


@pytest.mark.parametrize(
    "line",
    [
        "zip -P {} out.zip a.txt", "7z x -p{} a.7z", "ldapsearch -D cn=a -w {} -b dc=x", "sqlcmd -U sa -P {} -i q",
        "smbclient //nas/x -U lea%{}", "net user lea {} /add", "ssh-keygen -t ed25519 -N '{}' -f k",
        "mongosh -u root -p {} --quiet", "mysqladmin -u root -p{} status", "echo '::add-mask::{}'",
        "db.example.net:5432:app:app:{}", 'proxy_set_header X-Api-Secret "{}";',
    ],
)  # fmt: skip
def test_the_password_on_a_command_line_goes(line: str) -> None:
    for seed in range(4):
        password = cook("{password}", seed)[1]
        assert password not in clean(line.replace("{}", password)), line


@pytest.mark.parametrize("frame", ODD)
def test_h16_a_password_in_an_odd_sentence_goes_and_the_sentence_stays(frame: str) -> None:
    for seed in range(6):
        password = cook("{password}", seed)[1]
        left = clean(frame.replace("{}", password))
        assert password not in left, left
        assert left.replace("[redacted:secret]", "[redacted:password]") == frame.replace("{}", "[redacted:password]")


def test_h16_words_with_points_between_go_where_they_are_said_to_be_the_password() -> None:
    chosen = ".".join(("falaise", "kettle", "lichen")) + "46"
    assert clean(f"le mot de passe est {chosen}, garde-le") == "le mot de passe est [redacted:password], garde-le"
    assert clean(f"the password check is called by {chosen}") == f"the password check is called by {chosen}"


def test_h16_words_with_hyphens_between_go_where_they_are_said_to_be_the_password() -> None:
    chosen = "-".join(("brume", "quince", "lichen", "meadow"))
    assert clean(f"le mot de passe est {chosen}") == "le mot de passe est [redacted:password]"
    assert clean(f"la page du mot de passe : {chosen}.html") == f"la page du mot de passe : {chosen}.html"


def test_h16_a_phrase_may_hold_any_words_where_it_is_called_one() -> None:
    words = " ".join(("grey", "herons", "never", "land", "on", "tuesdays"))
    assert (
        clean(f'my passphrase is "{words}", all lower case') == 'my passphrase is "[redacted:password]", all lower case'
    )
    assert clean('the passphrase is "too short for this vault"') == 'the passphrase is "too short for this vault"'


def test_a_mark_of_the_sentence_after_a_password_stays_and_one_of_the_password_goes() -> None:
    chosen = "Lichen" + "83" + "$"
    assert clean(f"is the password {chosen}x9?") == "is the password [redacted:password]?"
    assert clean(f"her password, {chosen}x9?, was found") == "her password, [redacted:password], was found"
    assert clean(f"password: ${chosen}") == "password: [redacted:password]"


@pytest.mark.parametrize(
    "frame",
    ["PIN: {}", "mon code PIN c'est le {}", "gate code {}#", "code alarme {}", "le digicode est le {}", "OTP {}"],
)
def test_a_code_of_digits_goes(frame: str) -> None:
    digits = cook("{d6}", 3)[1]
    assert digits not in clean(frame.replace("{}", digits))


def test_the_code_of_a_door_may_hold_a_letter() -> None:
    made = "B" + cook("{d4}", 5)[1]
    assert clean(f"le digicode est {made}.") == "le digicode est [redacted:pin]."


STAYS = [
    "The password is stored in 1Password under 'infra'.",
    "On choisit entre 1Password8 et KeePassXC 2.7.9 comme gestionnaire de mots de passe.",
    "password hash: argon2id, m=65536,t=3,p=4",
    "if (password.length < 8) throw new Error('E1042')",
    "PASSWORD=`cat pw.txt`",
    "DB_PASSWORD=$DB_PASSWORD",
    "admin:x:1000:",
    "demo/index.html#part2",
    "image: postgres:16.4-alpine3.20",
    "PIN 12 = SCL, PIN 13 = SDA",
    "the PIN pad has 12 keys",
    "xoxb-not-a-real-token",
    "log in as deploy with your own key",
    "pass to the worker2 process",
    "le pass du musée coûte 12 euros",
    "the recaptcha site key is public",
    'the password field has id="pw-input-2"',
    "The A/B test: p=0.03, n=1,204.",
    "password: hunter2-like",
    "identifiant ou mot de passe incorrect (E401).",
    "user:pass@example.com",
    "https://example.com/list?key=created-at-and-updated-at",
    "| version | state |\n| --- | --- |\n| build2026a | green |",
    "I forgot my password. It's 3am.",
    "unlock the door with your badge",
    "the wifi is 802.11ax",
    "data:\n  digest: YWJjZA==\nkind: Secret",
    "password_hash = h(password + salt)[:16]",
    "auth/password.ts:42:7 - error TS2322",
    'secret "tls-wildcard-2026" not found',
    "On passe de bcrypt$10 à bcrypt$12 pour les mots de passe ?",
    "Identifiant client : 48213-B, voir contrat.",
    "mot de passe : voir le coffre, entrée n°17",
    "Le mot de passe est transmis par courrier-suivi-avec-accusé.",
]


@pytest.mark.parametrize("text", STAYS)
def test_h15_what_is_said_around_passwords_stays(text: str) -> None:
    assert clean(text) == text
