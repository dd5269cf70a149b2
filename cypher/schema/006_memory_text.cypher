// name: schema/006_memory_text
// mode: schema
// params: analyzer
// returns:
//
// The words, with the scope of what may be recalled as one more word.
CYPHER 25
CREATE FULLTEXT INDEX memory_text IF NOT EXISTS FOR (m:Memory) ON EACH [m.text, m.recall_key]
OPTIONS {indexConfig: {`fulltext.analyzer`: $analyzer}}
