// name: learn/proven
// mode: write
// params: scope, rows
// returns: id
//
// Note on skills how well they are proven: how many distinct attempts support them, and their success rate with its lower
// bound.
CYPHER 25
UNWIND $rows AS row
MATCH (s:Memory {scope: $scope, id: row.id}) WHERE s.kind = 'skill'
SET s.support = row.support, s.success_rate = row.rate, s.success_low = row.low
RETURN s.id AS id
