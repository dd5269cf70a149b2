// name: record/settle
// mode: write
// params: scope, vector, anew
// returns: settled
//
// Give the vector index a whole newest segment. Where the newest one is partly deleted, a filtered vector search of this
// server fails for everybody ("out of bounds"); a node of no scope that is embedded anew ends that.
// Its vector is of the size of the index, whatever size the client of the day has, until the index is made `anew`.
CYPHER 25
MERGE (s:Memory {scope: $scope, id: 'settled'})
SET s.embedding = CASE WHEN $anew OR s.embedding IS NULL THEN $vector ELSE [x IN s.embedding | -x] END
RETURN count(s) AS settled
