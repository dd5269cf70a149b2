// name: schema/024_memory_vector
// mode: schema
// params: dimensions
// returns:
//
// The vectors, with the scope and every filter inside the index, a person's authority among them.
CYPHER 25
CREATE VECTOR INDEX memory_vector IF NOT EXISTS FOR (m:Memory) ON m.embedding
WITH [m.scope, m.recallable, m.kind, m.domain, m.task_type, m.toolchain, m.expires_at, m.authority]
OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine'}}
