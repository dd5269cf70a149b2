"""Every statement to the outbox's file.

`target`, `database` and `tenant` say whose entries are meant, `user` which client's, or with `everything` all of them.
An entry waits while it has no `reason`, and is a dead letter since it has one.
"""

VERSION = 1  # of the file's tables, in its user_version
OURS = 0x676D6F62  # in its application_id

CREATE = (
    "PRAGMA application_id = 1735225186",  # OURS
    "PRAGMA user_version = 1",  # VERSION
    """
    CREATE TABLE entry (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      target TEXT NOT NULL,
      database TEXT NOT NULL,
      tenant TEXT NOT NULL,
      user TEXT NOT NULL,
      owner TEXT NOT NULL,
      verb TEXT NOT NULL,
      at TEXT NOT NULL,
      payload TEXT NOT NULL,
      reason TEXT
    )
    """,
    "CREATE INDEX entry_queue ON entry (target, database, tenant, user, reason, number)",
)
KEEP = """
INSERT INTO entry (target, database, tenant, user, owner, verb, at, payload)
VALUES (:target, :database, :tenant, :user, :owner, :verb, :at, :payload)
"""
ALL = "SELECT count(*) - count(reason), count(reason) FROM entry"
PENDING = """
SELECT number, tenant, user, owner, verb, at, payload FROM entry
WHERE target = :target AND database = :database AND tenant = :tenant AND user = :user AND reason IS NULL
ORDER BY number LIMIT :most
"""
TENANTS = """
SELECT number, tenant, user, owner, verb, at, payload FROM entry
WHERE target = :target AND database = :database AND tenant = :tenant
"""
FORGET = """
DELETE FROM entry
WHERE target = :target AND database = :database AND tenant = :tenant AND (:user = '' OR owner = :user)
"""
WAITING = """
SELECT user, count(*), min(at) FROM entry
WHERE target = :target AND database = :database AND tenant = :tenant AND (:everything OR user = :user)
  AND reason IS NULL
GROUP BY user ORDER BY min(number)
"""
DEAD = """
SELECT count(*) FROM entry
WHERE target = :target AND database = :database AND tenant = :tenant AND (:everything OR user = :user)
  AND reason IS NOT NULL
"""
LETTERS = """
SELECT number, tenant, user, owner, verb, at, payload, reason FROM entry
WHERE target = :target AND database = :database AND tenant = :tenant AND (:everything OR user = :user)
  AND reason IS NOT NULL
ORDER BY number LIMIT :most
"""
RETRY = """
UPDATE entry SET reason = NULL
WHERE target = :target AND database = :database AND tenant = :tenant AND (:everything OR user = :user)
  AND reason IS NOT NULL
"""
DROP = """
DELETE FROM entry
WHERE target = :target AND database = :database AND tenant = :tenant AND (:everything OR user = :user)
  AND reason IS NOT NULL
"""
DELIVERED = "DELETE FROM entry WHERE number = ?"
REFUSED = "UPDATE entry SET reason = ? WHERE number = ?"
HELD = """
SELECT target, database, sum(reason IS NULL), min(CASE WHEN reason IS NULL THEN at END), sum(reason IS NOT NULL)
FROM entry GROUP BY target, database ORDER BY target, database
"""
SIZE = """
SELECT (page_count - freelist_count) * page_size
FROM pragma_page_count, pragma_freelist_count, pragma_page_size
"""
WHAT = """
SELECT user_version, application_id, (SELECT count(*) FROM sqlite_master)
FROM pragma_user_version, pragma_application_id
"""
