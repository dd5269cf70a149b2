// name: schema/021_secure_keys
// mode: batch
// params:
// returns:
//
// Give secure memories that are in use their key for recalls that ask for them, where an older graphmem gave them none.
CYPHER 25
MATCH (m:Memory) WHERE m.secure AND m.status = 'active' AND m.recall_key = ''
CALL (m) { SET m.recall_key = 'secure' + m.scope } IN TRANSACTIONS OF 1000 ROWS
