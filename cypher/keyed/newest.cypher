// name: keyed/newest
// mode: read
// params: scope, slots
// returns: slot, node
//
// The newest version of each keyed value. All versions of one have ids that begin alike (its slot) and end with their number,
// so each is one seek in the index of ids, whatever else the scope keeps.
CYPHER 25
UNWIND $slots AS slot
CALL (slot) {
  MATCH (m:Memory) WHERE m.scope = $scope AND m.id STARTS WITH slot
  WITH m ORDER BY m.id DESC LIMIT 1
  RETURN m {.*, embedding: null, text: null} AS node
}
RETURN slot, node
