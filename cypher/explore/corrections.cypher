// name: explore/corrections
// mode: read
// params: scopes
// returns: right, correction, wrong
//
// What corrected what, as a graph: from the memory that is right to the one that is wrong, newest first.
// Click an edge for its reason, who said so, and the contexts in which it holds; revoked corrections are left out.
CYPHER 25
MATCH (w:Memory) WHERE w.scope IN $scopes AND w.id IS NOT NULL AND w.corrected AND w.expires_at > datetime() AND NOT w.secure
MATCH (w)<-[c:CORRECTS]-(r:Memory)
WHERE c.scope IN $scopes AND c.revoked_at IS NULL AND r.scope IN $scopes AND r.expires_at > datetime() AND NOT r.secure
WITH r, c, w ORDER BY c.at DESC, r.id, w.id LIMIT 100
RETURN r AS right, c AS correction, w AS wrong
