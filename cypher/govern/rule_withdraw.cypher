// name: govern/rule_withdraw
// mode: write
// params: scope, domain, name, by, now, write_id
// returns: node, changed
//
// Put a rule out of force, and note by whom; the statement before this one holds it. Its last version comes back, and
// whether this very write withdrew it, which also holds when the transaction is retried after its commit.
CYPHER 25
CALL () {
  MATCH (r:Rule {scope: $scope, domain: $domain, name: $name}) WHERE r.version > 0 AND r.active
  SET r.active = false, r.withdrawn_by = $by, r.withdrawn_at = $now, r.withdrawal = $write_id
  RETURN count(r) AS withdrawn
}
MATCH (r:Rule {scope: $scope, domain: $domain, name: $name}) WHERE r.version > 0
WITH r, coalesce(r.withdrawal = $write_id, false) AS changed
ORDER BY changed DESC, r.version DESC LIMIT 1
RETURN r {.*} AS node, changed
