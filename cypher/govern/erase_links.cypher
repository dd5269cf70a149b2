// name: govern/erase_links
// mode: write
// params: scopes, shared, most
// returns: what, erased
//
// Erase the links that these scopes made between memories that stay, at most so many.
CYPHER 25
MATCH (a:Memory)-[e:RELATES|CORRECTS]->(b:Memory)
WHERE a.scope = $shared AND a.id IS NOT NULL AND e.scope IN $scopes AND NOT $shared IN $scopes
WITH a, e, b LIMIT $most
WITH collect(e) AS links, collect(a) + collect(b) AS ends
FOREACH (e IN links | DELETE e)
WITH size(links) AS erased, ends
CALL (ends) {
  UNWIND ends AS m
  WITH DISTINCT m ORDER BY m.id
  SET m.corrected = EXISTS { (m)<-[:CORRECTS]-() },
      m.twinned = CASE WHEN EXISTS { (m)-[:RELATES {kind: 'duplicate'}]-() } THEN true END
  RETURN count(*) AS looked
}
RETURN 'links' AS what, erased
