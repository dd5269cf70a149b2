// name: govern/outcome_labels
// mode: batch
// params: scopes
// returns:
//
// Mark the episodes of these scopes with a label for their outcome, so that Neo4j Browser, which colours by label, tells
// them apart. Nothing reads the labels; those that are right are left as they are.
CYPHER 25
MATCH (m:Memory) WHERE m.scope IN $scopes AND m.kind = 'episode' AND m.status IS NOT NULL
WITH m, CASE m.outcome WHEN 'success' THEN 'Success' WHEN 'mixed' THEN 'Mixed' WHEN 'fail' THEN 'Fail' ELSE 'Unknown' END AS label
WHERE NOT m:$(label) OR size([other IN labels(m) WHERE other IN ['Success', 'Mixed', 'Fail', 'Unknown']]) <> 1
CALL (m, label) {
  REMOVE m:Success:Mixed:Fail:Unknown
  SET m:$(label)
} IN TRANSACTIONS OF 1000 ROWS
