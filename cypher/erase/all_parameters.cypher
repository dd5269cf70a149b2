// name: erase/all_parameters
// mode: write
// params: scopes, most
// returns: what, erased
//
// Erase parameters of these scopes, at most so many; a version 0 is none, and is not counted as one.
CYPHER 25
MATCH (p:Parameters) WHERE p.scope IN $scopes AND p.domain IS NOT NULL AND p.version IS NOT NULL
WITH p LIMIT $most
WITH collect(p) AS found, CASE WHEN p.version > 0 THEN 'parameters' ELSE 'none' END AS what
FOREACH (p IN found | DETACH DELETE p)
RETURN what, size(found) AS erased
