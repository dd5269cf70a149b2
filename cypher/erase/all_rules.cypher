// name: erase/all_rules
// mode: write
// params: scopes, tenant, most
// returns: what, erased
//
// Erase rules of these scopes of a tenant, at most so many versions, damaged ones too; a version 0 is none, and is not
// counted as one. All lock in one order, version 0 first.
CYPHER 25
CALL () {
  MATCH (r:Rule) WHERE r.scope IN $scopes AND r.domain IS NOT NULL AND r.name IS NOT NULL AND r.version IS NOT NULL
  RETURN r
  UNION
  MATCH (r:Rule) WHERE r.tenant = $tenant AND r.scope IN $scopes
  RETURN r
}
WITH r ORDER BY r.scope, r.domain, r.name, r.version LIMIT $most
WITH collect(r) AS found, CASE r.version WHEN 0 THEN 'none' ELSE 'rules' END AS what
FOREACH (r IN found | DETACH DELETE r)
RETURN what, size(found) AS erased
