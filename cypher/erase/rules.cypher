// name: erase/rules
// mode: write
// params: scopes, pattern, instead, signed, by, now
// returns: erased
//
// Take away what rules of these scopes say of somebody (the pattern of a whole text), and the name of who signed them. One
// whose name is that goes with all its versions; a version that says it is withdrawn and says nothing any more, for without
// some of its words it would hold of other cases. All lock in one order, version 0 first.
CYPHER 25
CALL () {
  MATCH (r:Rule) WHERE r.scope IN $scopes AND r.domain IS NOT NULL AND r.name =~ $pattern AND r.version IS NOT NULL
  WITH r, r.version > 0 AS counts ORDER BY r.scope, r.domain, r.name, r.version
  WITH collect(r) AS found, sum(CASE WHEN counts THEN 1 ELSE 0 END) AS named
  FOREACH (r IN found | DETACH DELETE r)
  RETURN named
}
CALL () {
  MATCH (r:Rule) WHERE r.scope IN $scopes AND r.domain IS NOT NULL AND r.name IS NOT NULL AND r.version > 0
    AND any(said IN [r.text, r.decision] + r.conditions + r.mentions WHERE said =~ $pattern)
  WITH r ORDER BY r.scope, r.domain, r.name, r.version
  SET r.held = true
  SET r.withdrawn_by = CASE WHEN r.active THEN $by ELSE r.withdrawn_by END,
      r.withdrawn_at = CASE WHEN r.active THEN $now ELSE r.withdrawn_at END
  SET r.text = $instead, r.conditions = [], r.mentions = [], r.decision = '', r.active = false
  REMOVE r.held
  RETURN count(r) AS told
}
CALL () {
  MATCH (r:Rule) WHERE r.scope IN $scopes AND r.domain IS NOT NULL AND r.name IS NOT NULL AND r.version > 0
    AND (r.by =~ $pattern OR r.withdrawn_by =~ $pattern)
  WITH r ORDER BY r.scope, r.domain, r.name, r.version
  SET r.by = CASE WHEN r.by =~ $pattern THEN $signed ELSE r.by END,
      r.withdrawn_by = CASE WHEN r.withdrawn_by =~ $pattern THEN $signed ELSE r.withdrawn_by END
  RETURN count(r) AS signed
}
RETURN named + told AS erased
