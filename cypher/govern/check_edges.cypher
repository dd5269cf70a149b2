// name: govern/check_edges
// mode: read
// params: scopes, most
// returns: rule, user, id, found
//
// Links that break a rule, told with the memory of these scopes that they touch, and nothing of what is at the other end:
// at most so many. What is derived is told of an edge from its end.
CYPHER 25
MATCH (m:Memory)-[e]-(n) WHERE m.scope IN $scopes AND m.id IS NOT NULL
WITH m, e, n, startNode(e) AS a, endNode(e) AS b, type(e) AS type
WITH m, e, n, a, b, type, type IN ['DERIVES', 'GENERALIZES'] AND b = m AS derives, n:Memory OR n:Recall AS known
WITH m, [
  CASE WHEN NOT type IN ['DERIVES', 'GENERALIZES', 'RELATES', 'CORRECTS', 'RETURNED', 'MISLED'] OR NOT known
    THEN ['labels', 'a link ' + type + ' to ' + CASE WHEN known THEN 'a memory or receipt' ELSE 'what is neither memory nor receipt' END] END,
  CASE WHEN n:Memory AND NOT coalesce(n.tenant = m.tenant AND (n.user = m.user OR m.user = '' OR n.user = ''), false)
    THEN ['leak', 'a link ' + type + ' joins it to a memory of another tenant or user'] END,
  CASE WHEN n:Recall AND NOT coalesce(n.tenant = m.tenant AND m.user IN ['', n.user], false)
    THEN ['leak', 'a link ' + type + ' joins it to a receipt of another tenant or user'] END,
  CASE WHEN type IN ['RELATES', 'CORRECTS'] AND n:Memory AND (e.scope IS NULL OR m.user <> '' AND e.scope <> m.scope
      OR m.user = '' AND n.user <> '' AND n.tenant = m.tenant AND e.scope <> n.scope)
    THEN ['leak', 'a link ' + type + ' belongs to no scope that sees both its ends'] END,
  CASE WHEN type IN ['RETURNED', 'MISLED'] AND NOT (a:Recall AND b:Memory) OR type IN ['RELATES', 'CORRECTS', 'DERIVES', 'GENERALIZES'] AND NOT n:Memory
    THEN ['kinds', 'a link ' + type + ' has a wrong end'] END,
  CASE WHEN derives AND NOT coalesce(CASE type WHEN 'DERIVES' THEN a.kind = 'episode' AND b.kind = 'reflection'
      ELSE a.kind = 'reflection' AND b.kind = 'skill' END, false)
    THEN ['kinds', 'a link ' + type + ' leads from ' + coalesce(toStringOrNull(a.kind), 'no kind') + ' to ' + coalesce(toStringOrNull(b.kind), 'no kind')] END,
  CASE WHEN derives AND a.user <> '' AND m.user = ''
    THEN ['narrow', 'it is shared, and a source of it is one user\'s own'] END,
  CASE WHEN derives AND a.secure AND NOT coalesce(m.secure, false) THEN ['secure', 'a source of it is secure, and it is not'] END
] AS faults
UNWIND faults AS fault
WITH DISTINCT m, fault WHERE fault IS NOT NULL
RETURN fault[0] AS rule, toStringOrNull(m.user) AS user, m.id AS id, fault[1] AS found
ORDER BY id, rule, found LIMIT $most
