// name: erase/rules
// mode: write
// params: scopes, tenant, pattern, instead, signed, by, now
// returns: told, signatures
//
// Take away what rules of these scopes of a tenant say of somebody (the pattern of a whole text), damaged ones too, and the
// name of who signed them. One whose name is that goes with all its versions; a version that says it is withdrawn and says
// nothing any more, for without some of its words it would hold of other cases. All lock in one order, version 0 first,
// before it is looked at what they say.
CYPHER 25
CALL () {
  MATCH (r:Rule) WHERE r.scope IN $scopes AND r.domain IS NOT NULL AND r.name IS NOT NULL AND r.version = 0
  WITH r ORDER BY r.scope, r.domain, r.name
  SET r.held = true
  REMOVE r.held
  RETURN count(r) AS held
}
CALL () {
  MATCH (r:Rule) WHERE r.scope IN $scopes AND r.domain IS NOT NULL AND r.name IS NOT NULL AND r.version IS NOT NULL
  RETURN r
  UNION
  MATCH (r:Rule) WHERE r.tenant = $tenant AND r.scope IN $scopes
  RETURN r
}
WITH r, coalesce(normalize(toStringOrNull(r.name), NFKC) =~ $pattern, false) AS named
ORDER BY r.scope, r.domain, r.name, r.version
WITH collect(CASE WHEN named THEN r END) AS gone, collect(CASE WHEN NOT named AND coalesce(r.version <> 0, true) THEN r END) AS stay
WITH gone, stay, size([r IN gone WHERE coalesce(r.version <> 0, true)]) AS named
FOREACH (r IN gone | DETACH DELETE r)
WITH stay, named
CALL (stay) {
  UNWIND stay AS r
  WITH r WHERE any(said IN [r.text, r.decision] + coalesce(r.conditions, []) + coalesce(r.mentions, [])
    WHERE normalize(toStringOrNull(said), NFKC) =~ $pattern)
  SET r.withdrawn_by = CASE WHEN r.active THEN $by ELSE r.withdrawn_by END,
      r.withdrawn_at = CASE WHEN r.active THEN $now ELSE r.withdrawn_at END
  SET r.text = $instead, r.conditions = [], r.mentions = [], r.decision = '', r.active = false
  RETURN count(r) AS blanked
}
CALL (stay) {
  UNWIND stay AS r
  WITH r, coalesce(normalize(toStringOrNull(r.by), NFKC) =~ $pattern, false) AS set,
    coalesce(normalize(toStringOrNull(r.withdrawn_by), NFKC) =~ $pattern, false) AS ended
  WHERE set OR ended
  SET r.by = CASE WHEN set THEN $signed ELSE r.by END,
      r.withdrawn_by = CASE WHEN ended THEN $signed ELSE r.withdrawn_by END
  RETURN count(r) AS signatures
}
RETURN named + blanked AS told, signatures
