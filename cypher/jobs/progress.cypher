// name: jobs/progress
// mode: read
// params: job
// returns: progress
//
// How far a computation of Graph Data Science is, such as '41.5%'.
CYPHER 25
CALL gds.listProgress($job) YIELD progress, status
WITH progress, status WHERE status = 'RUNNING'
RETURN progress LIMIT 1
