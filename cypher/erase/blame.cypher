// name: erase/blame
// mode: write
// params: scope, worker, rows
// returns: blanked
//
// Take the words away with which these memories were preferred to others in a context, and those of the context: the blame
// of the others stays, with the vector of the context. Nothing is done unless this worker leads.
CYPHER 25
MATCH (q:Job {scope: $scope, id: 'queue'}) WHERE q.lead = $worker
UNWIND $rows AS row
MATCH (:Memory {scope: row.scope, id: row.id})-[c:CORRECTS]->(w:Memory)
UNWIND c.receipts AS id
MATCH (r:Recall {scope: c.scope, id: id})-[x:MISLED]->(w)
SET x.reason = ''
REMOVE r.question
RETURN count(x) AS blanked
