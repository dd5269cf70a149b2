// name: schema/applied
// mode: write
// params: number, title, checksum, now
// returns: number
//
// Note that a migration was applied.
CYPHER 25
MERGE (a:Migration {number: $number})
ON CREATE SET a.name = $title, a.checksum = $checksum, a.at = $now
RETURN a.number AS number
