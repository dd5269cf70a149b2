// name: govern/retention_least
// mode: read
// params: scopes, scope, rules, budget, now, most
// returns: living, faded, excess, least
//
// What a scope can do without: memories whose weight has fallen below the least, then the lightest beyond the budget.
// weight = base · 0.5 ^ (age / half-life) · (1 + successes) / (1 + failures); pinned memories are spared, and an active
// skill that was ever used is spared by the budget. Only what may be recalled, now or once promoted, is looked at.
CYPHER 25
MATCH (m:Memory)
WHERE m.scope = $scope AND m.scope IN $scopes AND m.id IS NOT NULL AND m.expires_at > $now AND m.status IN ['active', 'candidate']
WITH m, CASE WHEN m.happened_at < $now THEN duration.inSeconds(m.happened_at, $now).seconds / 86400.0 ELSE 0.0 END AS age
WITH m, $rules.base[m.kind] * exp(-0.6931471805599453 * age / ($rules.half_life_days[m.kind] * coalesce($rules.domains[m.domain], 1.0)))
  * (1.0 + m.successes) / (1.0 + m.failures) AS weight
ORDER BY weight, m.id
WITH collect({id: m.id, kind: m.kind, status: m.status, label: m.label, weight: weight, pinned: m.pinned,
    spared: m.pinned OR (m.kind = 'skill' AND m.status = 'active' AND m.successes + m.failures > 0)}) AS weighed
WITH size(weighed) AS living, [one IN weighed WHERE NOT one.pinned AND one.weight < $rules.least] AS faded,
  [one IN weighed WHERE NOT one.spared AND one.weight >= $rules.least] AS rest
WITH living, faded, rest, living - size(faded) - $budget AS over
WITH living, faded, CASE WHEN over > 0 THEN rest[..over] ELSE [] END AS excess
RETURN living, size(faded) AS faded, size(excess) AS excess,
  ([one IN faded | one {.*, why: 'faded'}] + [one IN excess | one {.*, why: 'over budget'}])[..$most] AS least
