// name: govern/retention_pin
// mode: write
// params: scopes, id, pinned, event, kept, now
// returns: node
//
// Pin a memory, or take the pin away; what is so already stays as it is. The statement before this one holds it.
CYPHER 25
MATCH (m:Memory {id: $id}) WHERE m.scope IN $scopes AND m.expires_at > $now
WITH m ORDER BY m.scope = $scopes[0] DESC LIMIT 1
FOREACH (_ IN CASE WHEN m.pinned = $pinned THEN [] ELSE [1] END |
  SET m.pinned = $pinned, m.events = (coalesce(m.events, []) + $event)[-$kept..], m.updated_at = $now)
RETURN m {.*, embedding: null, text: null} AS node
