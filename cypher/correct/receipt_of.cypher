// name: correct/receipt_of
// mode: read
// params: scopes, id
// returns: scope, decision
//
// A written receipt.
CYPHER 25
MATCH (r:Recall {id: $id}) WHERE r.scope IN $scopes
RETURN r.scope AS scope, r.decision AS decision
ORDER BY r.scope = $scopes[0] DESC LIMIT 1
