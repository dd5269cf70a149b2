// name: erase/all_links
// mode: write
// params: scopes, shared, most
// returns: what, erased
//
// Erase the links that these scopes made between memories that stay, at most so many. That a memory is corrected or
// twinned is a hint to look for a link, and stays: another link may be in the making.
CYPHER 25
MATCH (a:Memory)-[e:RELATES|CORRECTS]->(:Memory)
WHERE a.scope = $shared AND a.id IS NOT NULL AND e.scope IN $scopes AND NOT $shared IN $scopes
WITH e LIMIT $most
WITH collect(e) AS links
FOREACH (e IN links | DELETE e)
RETURN 'links' AS what, size(links) AS erased
