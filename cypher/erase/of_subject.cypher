// name: erase/of_subject
// mode: read
// params: scopes, subject, most
// returns: scope, id
//
// Memories about a subject in these scopes, expired or not, at most so many.
CYPHER 25
MATCH (m:Memory) WHERE m.scope IN $scopes AND m.subject = $subject
RETURN m.scope AS scope, m.id AS id ORDER BY scope, id LIMIT $most
