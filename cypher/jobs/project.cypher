// name: jobs/project
// mode: read
// params: name, pairs
// returns: graph
//
// Project numbered nodes and the undirected, weighted links between them; a pair without an end is a node alone.
CYPHER 25
UNWIND $pairs AS pair
RETURN gds.graph.project(
  $name, pair[0], pair[1],
  {relationshipProperties: CASE WHEN pair[1] IS NOT NULL THEN {weight: pair[2]} END},
  {undirectedRelationshipTypes: ['*'], logProgress: false}
) AS graph
