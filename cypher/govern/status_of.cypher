// name: govern/status_of
// mode: read
// params: scopes, id, now
// returns: scope, id, kind, user, status, recallable, outcome, review, version, versions
//
// Where a memory stands, and the other versions of its skill; the user's own before a shared one of the same id.
CYPHER 25
MATCH (m:Memory {id: $id}) WHERE m.scope IN $scopes AND m.expires_at > $now
WITH m ORDER BY m.scope = $scopes[0] DESC LIMIT 1
RETURN m.scope AS scope, m.id AS id, m.kind AS kind, m.user AS user, m.status AS status, m.recallable AS recallable,
  m.outcome AS outcome, m.review AS review, coalesce(m.version, 0) AS version,
  COLLECT {
    MATCH (o:Memory {scope: m.scope, family: m.family}) WHERE o.id <> m.id
    RETURN o {.id, .version, .status} ORDER BY o.version, o.id
  } AS versions
