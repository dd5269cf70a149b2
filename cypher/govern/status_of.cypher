// name: govern/status_of
// mode: read
// params: scopes, id, now
// returns: scope, id, kind, user, status, recallable, outcome, review, version, versions, newest
//
// Where a memory stands, the other versions of its skill, and the newest version of a keyed value, if that is another; the user's own before a shared one of the same id.
CYPHER 25
MATCH (m:Memory {id: $id}) WHERE m.scope IN $scopes AND m.expires_at > $now
WITH m ORDER BY m.scope = $scopes[0] DESC LIMIT 1
RETURN m.scope AS scope, m.id AS id, m.kind AS kind, m.user AS user, m.status AS status, m.recallable AS recallable,
  m.outcome AS outcome, m.review AS review, coalesce(m.version, 0) AS version,
  COLLECT {
    MATCH (o:Memory {scope: m.scope, family: m.family}) WHERE o.id <> m.id
    RETURN o {.id, .version, .status} ORDER BY o.version, o.id
  } AS versions,
  CASE WHEN m.id STARTS WITH 'keyed-' AND m.source_ref STARTS WITH 'keyed:' THEN head(COLLECT {
    MATCH (n:Memory) WHERE n.scope = m.scope AND n.id STARTS WITH left(m.id, size(m.id) - 8) AND n.id > m.id
    RETURN n.id ORDER BY n.id DESC LIMIT 1
  }) END AS newest
