// name: erase/all_rules
// mode: write
// params: scopes, most
// returns: what, erased
//
// Erase rules of these scopes, at most so many versions; a version 0 is none, and is not counted as one.
CYPHER 25
MATCH (r:Rule) WHERE r.scope IN $scopes AND r.domain IS NOT NULL AND r.name IS NOT NULL AND r.version IS NOT NULL
WITH r LIMIT $most
WITH collect(r) AS found, CASE WHEN r.version > 0 THEN 'rules' ELSE 'none' END AS what
FOREACH (r IN found | DETACH DELETE r)
RETURN what, size(found) AS erased
