// name: govern/reviewable_revive
// mode: write
// params: scopes, scope, id
// returns: id
//
// Let an episode that was tried too often be tried anew, since a person says so.
CYPHER 25
MATCH (m:Memory {scope: $scope, id: $id}) WHERE m.scope IN $scopes AND m.awaits = 'dead' AND m.status = 'active'
SET m.awaits = 'reflection', m.tries = 0
REMOVE m.problem, m.claimed_by, m.claimed_until
RETURN m.id AS id
