// name: erase/unnamed
// mode: write
// params: scope, worker, scopes, pattern, signature, keys, problems, instead
// returns: blanked
//
// Take away the words on memories, links, receipts and jobs that stay and name what is erased (the pattern of a whole text),
// the names of who said something (of rules in that very case: `signature`), and what these memories say of why they could not be learnt from. An event is JSON that
// ends with who and why. Nothing is
// done unless this worker leads.
CYPHER 25
MATCH (q:Job {scope: $scope, id: 'queue'}) WHERE q.lead = $worker
CALL () {
  MATCH (m:Memory) WHERE m.scope IN $scopes AND m.id IS NOT NULL AND any(event IN m.events WHERE event =~ $pattern)
    AND NOT m.scope + ' ' + m.id IN $keys
  WITH m ORDER BY m.id, m.scope
  SET m.counted = true
  SET m.events = [event IN m.events | CASE
      WHEN NOT event =~ $pattern THEN event
      WHEN split(split(event, '", "by": "')[1], '", "reason": "')[0] =~ $pattern THEN split(event, '", "by": "')[0] + '", "by": "erased", "reason": ""}'
      ELSE split(event, '", "reason": "')[0] + '", "reason": ""}'
    END]
  REMOVE m.counted
  RETURN count(m) AS events
}
CALL () {
  MATCH (m:Memory) WHERE m.scope IN $scopes AND m.id IS NOT NULL AND (m.problem =~ $pattern OR m.scope + ' ' + m.id IN $problems)
  SET m.problem = $instead
  RETURN count(m) AS problems
}
CALL () {
  MATCH (m:Memory) WHERE m.scope IN $scopes AND m.id IS NOT NULL AND (m.reviewed_by =~ $pattern OR m.reflected_by =~ $pattern)
  SET m.reviewed_by = CASE WHEN m.reviewed_by =~ $pattern THEN 'erased' ELSE m.reviewed_by END,
      m.reflected_by = CASE WHEN m.reflected_by =~ $pattern THEN 'erased' ELSE m.reflected_by END
  RETURN count(m) AS people
}
CALL () {
  MATCH (r:Rule) WHERE r.scope IN $scopes AND r.domain IS NOT NULL AND r.name IS NOT NULL AND r.version > 0
    AND (r.by =~ $signature OR r.withdrawn_by =~ $signature)
  WITH r ORDER BY r.scope, r.domain, r.name, r.version
  SET r.by = CASE WHEN r.by =~ $signature THEN 'erased' ELSE r.by END,
      r.withdrawn_by = CASE WHEN r.withdrawn_by =~ $signature THEN 'erased' ELSE r.withdrawn_by END
  RETURN count(r) AS rules
}
CALL () {
  MATCH (m:Memory)<-[x:RELATES|CORRECTS|DERIVES|GENERALIZES]-(:Memory) WHERE m.scope IN $scopes AND m.id IS NOT NULL
    AND (x.by =~ $pattern OR x.resolved_by =~ $pattern)
  SET x.by = CASE WHEN x.by =~ $pattern THEN 'erased' ELSE x.by END,
      x.resolved_by = CASE WHEN x.resolved_by =~ $pattern THEN 'erased' ELSE x.resolved_by END
  RETURN count(x) AS signed
}
CALL () {
  MATCH (m:Memory)<-[x:MISLED|CORRECTS]-() WHERE m.scope IN $scopes AND m.id IS NOT NULL
    AND (x.reason =~ $pattern OR any(context IN x.contexts WHERE context =~ $pattern))
  SET x.reason = CASE WHEN x.reason =~ $pattern THEN $instead ELSE x.reason END,
      x.contexts = [context IN x.contexts | CASE WHEN context =~ $pattern THEN $instead ELSE context END]
  RETURN count(x) AS links
}
CALL () {
  MATCH (r:Recall) WHERE r.scope IN $scopes AND r.id IS NOT NULL AND (r.evidence =~ $pattern OR r.question =~ $pattern)
  SET r.evidence = CASE WHEN r.evidence =~ $pattern THEN $instead ELSE r.evidence END,
      r.question = CASE WHEN r.question =~ $pattern THEN null ELSE r.question END
  RETURN count(r) AS receipts
}
CALL () {
  MATCH (j:Job) WHERE j.scope IN $scopes AND j.id IS NOT NULL AND j.error =~ $pattern
  SET j.error = $instead
  RETURN count(j) AS jobs
}
RETURN events + problems + people + rules + signed + links + receipts + jobs AS blanked
