// name: jobs/project
// mode: read
// params: name, pairs
// returns: graph
//
// Project numbered nodes and the undirected links between them; a pair without an end is a node alone.
CYPHER 25
UNWIND $pairs AS pair
RETURN gds.graph.project($name, pair[0], pair[1], {}, {undirectedRelationshipTypes: ['*'], logProgress: false}) AS graph
