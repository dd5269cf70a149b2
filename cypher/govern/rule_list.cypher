// name: govern/rule_list
// mode: read
// params: scopes, domains, versions
// returns: node
//
// The rules of these scopes and (unless null) domains, those in force or all versions, in the order of names and versions.
CYPHER 25
MATCH (r:Rule)
WHERE r.scope IN $scopes AND r.domain IS NOT NULL AND r.name IS NOT NULL AND r.version > 0
  AND ($domains IS NULL OR r.domain IN $domains) AND ($versions OR r.active)
RETURN r {.*} AS node ORDER BY node.name, node.domain, node.version DESC
