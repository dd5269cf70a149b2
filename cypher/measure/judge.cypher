// name: measure/judge
// mode: write
// params: scope, scopes, id, named, relevant
// returns: id, rank
//
// Note which memories a person found relevant to what a recall asked; the latest word on a memory counts.
// The rank is absent when the receipt does not know how a memory ranked.
CYPHER 25
MATCH (r:Recall {scope: $scope, id: $id})
UNWIND $named AS id
MATCH (m:Memory {id: id}) WHERE m.scope IN $scopes
WITH r, id, m ORDER BY EXISTS { (r)-[:RETURNED]->(m) } DESC, m.scope = $scope DESC
WITH r, id, head(collect(m)) AS m ORDER BY id
MERGE (r)-[e:RETURNED]->(m)
ON CREATE SET e.used = false, e.hit = false
SET e.relevant = id IN $relevant
RETURN id, e.rank AS rank ORDER BY rank, id
