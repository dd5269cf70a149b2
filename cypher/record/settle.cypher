// name: record/settle
// mode: write
// params: scope, vector
// returns: settled
//
// Give the vector index a whole newest segment. Where the newest one is partly deleted, a filtered vector search of this
// server fails for everybody ("out of bounds"); a node of no scope that is embedded anew ends that.
CYPHER 25
MERGE (s:Memory {scope: $scope, id: 'settled'})
SET s.embedding = CASE WHEN s.embedding IS NULL OR size(s.embedding) <> size($vector) THEN $vector ELSE [x IN s.embedding | -x] END
RETURN count(s) AS settled
