// name: erase/near
// mode: read
// params: rows, rules
// returns: scope, id
//
// What a model has learnt in these scopes, of the same domain and task type: it was shown other lessons there. What a
// caller said, or rules made, is none of it.
CYPHER 25
UNWIND $rows AS row
MATCH (d:Memory)
WHERE d.scope = row.scope AND d.kind IN ['reflection', 'skill'] AND d.status IS NOT NULL AND d.domain = row.domain AND d.task_type = row.task_type
  AND EXISTS { MATCH (d)<-[e:DERIVES|GENERALIZES]-(:Memory) WHERE NOT e.by STARTS WITH $rules AND e.by <> 'caller' }
RETURN DISTINCT d.scope AS scope, d.id AS id
