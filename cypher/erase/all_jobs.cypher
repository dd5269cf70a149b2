// name: erase/all_jobs
// mode: write
// params: scopes, most
// returns: what, erased
//
// Erase what is known of the jobs of these scopes, at most so many.
CYPHER 25
MATCH (j:Job) WHERE j.scope IN $scopes AND j.id IS NOT NULL
WITH j LIMIT $most
WITH collect(j) AS found
FOREACH (j IN found | DETACH DELETE j)
RETURN 'jobs' AS what, size(found) AS erased
