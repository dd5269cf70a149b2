// name: correct/receipt_of
// mode: read
// params: scope, id
// returns: decision
//
// A receipt that this very scope has written: what one user says changes nobody else's.
CYPHER 25
MATCH (r:Recall {scope: $scope, id: $id})
RETURN r.decision AS decision
