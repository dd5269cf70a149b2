// name: erase/learnt
// mode: read
// params: scopes
// returns: learnt
//
// How many reflections and skills these scopes keep.
CYPHER 25
MATCH (d:Memory) WHERE d.scope IN $scopes AND d.kind IN ['reflection', 'skill'] AND d.status IS NOT NULL
RETURN count(d) AS learnt
