"""Secrets and personal data made at run time, none of them anybody's, and texts that only look like them."""

from __future__ import annotations

import random
import string
from collections.abc import Callable, Iterator

LETTERS = string.ascii_letters
ALPHANUMERIC = LETTERS + string.digits
UPPER = string.ascii_uppercase + string.digits
URLSAFE = ALPHANUMERIC + "-_"
BASE64 = ALPHANUMERIC + "+/"

Make = Callable[[random.Random], str]


def drawn(draw: random.Random, count: int, alphabet: str = ALPHANUMERIC) -> str:
    """So many characters, a digit, a small and a large letter among them where the alphabet has such."""
    while True:
        text = "".join(draw.choice(alphabet) for _ in range(count))
        kinds = [str.isdigit, str.islower, str.isupper]
        if count < 8 or all(any(map(kind, text)) or not any(map(kind, alphabet)) for kind in kinds):
            return text


def luhn(digits: str) -> bool:
    """Whether the last digit checks the others (ISO/IEC 7812)."""
    doubled = [int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits))]
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0


def card(draw: random.Random, first: str = "4", length: int = 16) -> str:
    """A number that an issuer might give."""
    body = first + "".join(draw.choice(string.digits) for _ in range(length - len(first) - 1))
    return next(body + digit for digit in string.digits if luhn(body + digit))


def grouped(digits: str, separator: str) -> str:
    """Digits in fours."""
    return separator.join(digits[place : place + 4] for place in range(0, len(digits), 4))


def iban(draw: random.Random) -> str:
    """A German account number with its check digits (ISO 13616)."""
    account = "".join(draw.choice(string.digits) for _ in range(18))
    check = 98 - int(account + "131400") % 97
    return f"DE{check:02}{account}"


def pem(draw: random.Random) -> str:
    """A private key of several lines."""
    kind = draw.choice(["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
    lines = "\n".join(drawn(draw, 64, BASE64) for _ in range(draw.randint(3, 12)))
    return f"-----BEGIN {kind}PRIVATE KEY-----\n{lines}\n-----END {kind}PRIVATE KEY-----"


def mail(draw: random.Random) -> str:
    """A mail address at a domain that nobody has."""
    name = draw.choice(["ann.lee", "bob+work", "c_d", "eve-2", "o'neill", "jürgen", "иван"])
    return f"{name}{drawn(draw, 3, string.digits)}@{draw.choice(['mail.example.com', 'example.org', 'example.co.uk'])}"


def phone(draw: random.Random) -> str:
    """A number of a kind that is kept for fiction, or a made-up one, as people write it."""
    a, b, c = draw.choice(["212", "415", "503", "617"]), draw.randint(200, 999), draw.randint(0, 9999)
    return draw.choice(
        [
            f"+1 {a} 555 {c:04}",
            f"+1-{a}-{b}-{c:04}",
            f"({a}) {b}-{c:04}",
            f"{a}-{b}-{c:04}",
            f"{a}.{b}.{c:04}",
            f"+44 7700 900{draw.randint(0, 999):03}",
            f"+49 30 23125{draw.randint(100, 999)}",
            f"+33 1 99 00 {draw.randint(10, 99)} {draw.randint(10, 99)}",
            f"+4930231{draw.randint(10000, 99999)}",
        ]
    )


TOKENS: dict[str, Make] = {
    "aws id": lambda draw: "AK" + "IA" + drawn(draw, 16, UPPER),
    "github": lambda draw: draw.choice(["ghp", "gho", "ghs"]) + "_" + drawn(draw, 36),
    "github fine": lambda draw: "github" + "_pat_" + drawn(draw, 22) + "_" + drawn(draw, 59),
    "openai": lambda draw: "s" + "k-" + drawn(draw, 48),
    "openai project": lambda draw: "s" + "k-proj-" + drawn(draw, 64, URLSAFE),
    "anthropic": lambda draw: "s" + "k-ant-api03-" + drawn(draw, 93, URLSAFE) + "AA",
    "slack": lambda draw: (
        f"xo{'xb'}-{drawn(draw, 12, string.digits)}-{drawn(draw, 12, string.digits)}-{drawn(draw, 24)}"
    ),
    "stripe": lambda draw: draw.choice(["s", "r"]) + "k_" + "live_" + drawn(draw, 24),
    "google": lambda draw: "AI" + "za" + drawn(draw, 35, URLSAFE),
    "gitlab": lambda draw: "gl" + "pat-" + drawn(draw, 20, URLSAFE),
    "npm": lambda draw: "np" + "m_" + drawn(draw, 36),
    "sendgrid": lambda draw: "S" + f"G.{drawn(draw, 22, URLSAFE)}.{drawn(draw, 43, URLSAFE)}",
    "telegram": lambda draw: f"{drawn(draw, 9, string.digits)}:{drawn(draw, 35)}",
    "jwt": lambda draw: (
        f"ey{'J'}{drawn(draw, 33, URLSAFE)}.ey{'J'}{drawn(draw, 60, URLSAFE)}.{drawn(draw, 43, URLSAFE)}"
    ),
    "pem": pem,
}
"""Secrets that stand anywhere."""

NAMED: dict[str, tuple[str, Make]] = {
    "bearer": ("Authorization: Bearer {}", lambda draw: drawn(draw, 32)),
    "basic": ("authorization: Basic {}", lambda draw: drawn(draw, 20, BASE64)),
    "address": ("postgres://app:{}@db.internal:5432/main", lambda draw: drawn(draw, 14)),
    "password": ("password={}", lambda draw: drawn(draw, 10)),
    "password of letters": ("password={}", lambda draw: drawn(draw, 12, string.ascii_lowercase)),
    "password said": ("The password is {} now", lambda draw: drawn(draw, 12)),
    "environment": ("export DB_PASSWORD={}", lambda draw: drawn(draw, 12, ALPHANUMERIC + "!@%^*")),
    "yaml": ("api_key: {}", lambda draw: drawn(draw, 24)),
    "quoted": ('token="{}"', lambda draw: drawn(draw, 24)),
    "json": ('{{"client_secret": "{}", "port": 8080}}', lambda draw: drawn(draw, 30)),
    "query": ("https://api.example.com/v1?user=7&api_key={}&page=2", lambda draw: drawn(draw, 20)),
    "header": ("X-Api-Key: {}", lambda draw: drawn(draw, 32)),
    "option": ("deploy --password {} --dry-run", lambda draw: drawn(draw, 12)),
    "login": ("curl -u admin:{} https://example.com", lambda draw: drawn(draw, 12)),
    "typed": ('password: str = "{}"', lambda draw: drawn(draw, 9)),
    "tag": ("<password>{}</password>", lambda draw: drawn(draw, 10)),
    "aws secret": ("aws_secret_access_key = {}", lambda draw: drawn(draw, 40, BASE64)),
}
"""Secrets that are known by what stands around them."""

PERSONAL: dict[str, tuple[str, Make]] = {
    "mail": ("email", mail),
    "phone": ("phone", phone),
    "card": ("card", lambda draw: card(draw, draw.choice(["4", "51", "55", "2221"]))),
    "card in fours": ("card", lambda draw: grouped(card(draw), draw.choice([" ", "-"]))),
    "card of fifteen": ("card", lambda draw: card(draw, "37", 15)),
    "iban": ("iban", iban),
    "iban in fours": ("iban", lambda draw: grouped(iban(draw), " ")),
    "ssn": ("ssn", lambda draw: f"{draw.randint(1, 665):03}-{draw.randint(1, 99):02}-{draw.randint(1, 9999):04}"),
}
"""Personal data, with its kind."""

AROUND = (
    "{}",
    "We used {} to deploy.",
    "see ({}), then retry",
    "first line\n{}\nlast line",
    "联系 {}，谢谢",
    "“{}” worked; the build took 12.5 s",
)


def planted(seed: int) -> Iterator[tuple[str, str, str, str]]:
    """Each kind of secret and personal data in a text of its own: name, kind, what is planted, the text."""
    draw = random.Random(seed)
    for name, make in TOKENS.items():
        secret = make(draw)
        yield name, "secret", secret, draw.choice(AROUND).format(secret)
    for name, (form, make) in NAMED.items():
        secret = make(draw)
        yield name, "secret", secret, draw.choice(AROUND).format(form.format(secret))
    for name, (kind, make) in PERSONAL.items():
        secret = make(draw)
        yield name, kind, secret, draw.choice(AROUND).format(secret)


ORDINARY = (
    "Rotate the API key of the mailer, then restart it",
    "the password is wrong",
    "The password is base64 encoded, and the token is sha256-based",
    "token limit of 4096; max_tokens=4096, token: 4096, tokens=800",
    "api key rotation is done every 90 days",
    "Authorization header is missing; bearer token authentication is required",
    "Password: must be at least 12 characters, 8-20 are not enough",
    "password: required",
    "the secret: practice.",
    "password=$DB_PASSWORD token=${TOKEN} api_key=<your key> secret={{ secret }}",
    "password = getpass.getpass()",
    'api_key = os.environ["API_KEY"]',
    "def login(user: str, password: str, token: str | None = None) -> bool: ...",
    "login(user, password=pw, token=token)",
    "self.password = password; if token == 'if': return None",
    "fetch(url, {credentials: 'same-origin'})",
    'mask_token="[MASK]", eos_token="</s>"',
    "for token in tokens: yield token.text",
    "use std::secret; secret::new()",
    "PWD=/home/agent/work pwd: /srv/app",
    "commit da39a3ee5e6b4b0d3255bfef95601890afd80709 fixes it",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "request 550e8400-e29b-41d4-a716-446655440000 took 300 ms",
    "v1.2.3, 2026.08.0-rc1, Python 3.11.7, pkg@1.2.3-beta.rc, react@18.2.0",
    "2024-01-15T10:20:30.123456Z, 2024-01-15 10:20:30, 1700000000, 1700000000000, 1700000000123456789",
    "192.168.100.200:8080, 10.0.0.1, ::1, 2001:db8::ff00:42:8329, aa:bb:cc:dd:ee:ff",
    "http://localhost:8080/path?mail=a@b, ssh://git@host:22/x",
    "git clone git@github.com:org/repo.git && scp deploy@web1.example.com:/srv/app .",
    "order 123456789, ticket INC-2024-0012345, ORD-123-456-7890, part 1234-5678-9012-3456",
    "$1,299.99, € 12.345,67, ¥12000, 1 000 000 000, 12 345 678",
    "4242424242424241, 1234567890123456, 9007199254740993, 18446744073709551615",
    "ISBN 978-3-16-148410-0, room 415, 555 people, 50-60-7000, 1024x768, +0200, +15 %",
    "scores = (q@k.transpose(-2, -1)).softmax(-1)",
    "@app.route('/users/<int:id>') def users(id): ...",
    "/usr/local/lib/python3.11/site-packages/x.py, C:\\Users\\ann\\x",
    "risk-assessment-2024-report-for-the-whole-department, sk-learn, task-queue-with-a-long-name-7",
    "密码错误，请重试；令牌已过期",
    "パスワードが違います。もう一度お試しください",
    "Пароль неверный, токен истёк",
    "كلمة المرور غير صحيحة",
    "🔑 the key 🔐 is under the mat",
    "[email] [phone] [card] [iban] [ssn] [secret]",
    'password=[secret] token="[secret]" https://[secret]@host/x Authorization: Bearer [secret]',
    "",
)
"""Texts in which nothing may change."""
