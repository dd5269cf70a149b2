// name: govern/check_rules
// mode: read
// params: tenant, user, scopes, most
// returns: rule, user, id, found
//
// Rules of these scopes that several versions are in force of, or that lack what a version has, and rules of this tenant
// (and, unless null, user) without a scope: at most so many.
CYPHER 25
MATCH (r:Rule) WHERE r.tenant = $tenant AND (r.scope IN $scopes OR r.scope IS NULL AND coalesce(r.user = $user, true))
WITH r, [name IN ['name', 'domain', 'text', 'decision', 'by', 'user'] WHERE NOT r[name] IS :: STRING NOT NULL]
  + [name IN ['conditions', 'mentions'] WHERE NOT r[name] IS :: LIST<STRING NOT NULL> NOT NULL]
  + CASE WHEN r.at IS :: ZONED DATETIME NOT NULL THEN [] ELSE ['at'] END
  + CASE WHEN r.active IS :: BOOLEAN NOT NULL THEN [] ELSE ['active'] END AS absent
WITH r, [
  CASE WHEN r.scope IS NULL THEN ['owner', 'it has no scope'] END,
  CASE WHEN r.version IS :: INTEGER NOT NULL AND r.version >= 0 THEN null ELSE ['unversioned', 'its version is none'] END,
  CASE WHEN r.version = 0 AND coalesce(r.active, true) THEN ['rules', 'its version 0 is in force'] END,
  CASE WHEN r.version > 0 AND size(absent) > 0
    THEN ['rules', 'absent or of another type: ' + substring(reduce(all = '', name IN absent | all + ', ' + name), 2)] END,
  CASE WHEN r.active AND EXISTS {
      MATCH (o:Rule {scope: r.scope, domain: r.domain, name: r.name}) WHERE o.version > r.version AND o.active
    }
    THEN ['rules', 'version ' + coalesce(toStringOrNull(r.version), 'absent') + ' is in force beside a newer one'] END,
  CASE WHEN r.active AND r.withdrawn_at IS NOT NULL THEN ['rules', 'it is in force, and was withdrawn'] END
] AS faults
UNWIND faults AS fault
WITH r, fault WHERE fault IS NOT NULL
RETURN fault[0] AS rule, toStringOrNull(r.user) AS user,
  'rule ' + coalesce(toStringOrNull(r.name), 'without a name') + CASE WHEN coalesce(toStringOrNull(r.domain), '') = '' THEN '' ELSE ' of ' + toStringOrNull(r.domain) END AS id,
  fault[1] AS found
ORDER BY id, rule, found LIMIT $most
