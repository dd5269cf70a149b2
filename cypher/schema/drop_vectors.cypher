// name: schema/drop_vectors
// mode: schema
// params:
// returns:
//
// Drop the index of the vectors, which is then made again for vectors of another size.
CYPHER 25
DROP INDEX memory_vector IF EXISTS
