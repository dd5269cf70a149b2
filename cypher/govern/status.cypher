// name: govern/status
// mode: write
// params: scopes, rows, now, kept
// returns: scope, id, before, status
//
// Change the status of memories, one after the other; every change of a status is this one. Each row names a memory (scope,
// id), the statuses (from) out of which it goes, where it goes (to), how it must have ended, if that matters, the one that makes it go, if any, which must still be
// a candidate or active (needs), the worker that makes the change, if it may only while it leads the scope's queue (lead),
// whether a pin spares the memory (spare), the event as JSON text, and a person's verdict
// and name (by), if there is one. A memory that has expired or is in another status meanwhile is passed over; so is an
// episode of unknown outcome that would become active, a skill while another version of its family is, and a keyed value
// once it has a newer version. The statement before this one holds the memories. The newest `kept` events stay; where the last one is this very event, the
// transaction was retried after its commit.
CYPHER 25
UNWIND range(0, size($rows) - 1) AS place
WITH place, $rows[place] AS row ORDER BY place
CALL (row) {
  MATCH (m:Memory {scope: row.scope, id: row.id})
  WHERE m.scope IN $scopes AND m.status IN row.from AND m.expires_at > $now
    AND coalesce(m.events[-1], '') <> row.event
    AND (row.outcome IS NULL OR m.outcome = row.outcome)
    AND (row.needs IS NULL OR EXISTS {
      MATCH (n:Memory {scope: row.scope, id: row.needs})
      WHERE n.status IN ['candidate', 'active'] AND n.expires_at > $now
    })
    AND (row.lead IS NULL OR EXISTS { MATCH (q:Job {scope: row.scope, id: 'queue'}) WHERE q.lead = row.lead })
    AND NOT (coalesce(row.spare, false) AND coalesce(m.pinned, false))
    AND (row.to <> 'active' OR (coalesce(m.outcome, '') <> 'unknown' AND NOT EXISTS {
      MATCH (o:Memory {scope: m.scope, family: m.family}) WHERE o.status = 'active' AND o.id <> m.id
    } AND NOT (m.id STARTS WITH 'keyed-' AND m.source_ref STARTS WITH 'keyed:' AND EXISTS {
      MATCH (n:Memory) WHERE n.scope = m.scope AND n.id STARTS WITH left(m.id, size(m.id) - 8) AND n.id > m.id
    })))
  WITH m, row, m.status AS before
  SET m.status = row.to,
      m.recallable = row.to = 'active' AND NOT m.secure,
      m.recall_key = CASE WHEN row.to <> 'active' THEN '' WHEN m.secure THEN 'secure' + m.scope ELSE m.scope END,
      m.events = (coalesce(m.events, []) + row.event)[-$kept..],
      m.updated_at = $now
  FOREACH (_ IN CASE WHEN row.verdict IS NULL THEN [] ELSE [1] END |
    SET m.review = row.verdict, m.reviewed_by = row.by, m.reviewed_at = $now,
      m.authority = CASE row.verdict WHEN 'approved' THEN 1 ELSE 0 END)
  RETURN m.scope AS scope, m.id AS id, before
}
RETURN scope, id, before, row.to AS status
