// name: schema/home
// mode: read
// params:
// returns: name
//
// The database that an account is led to when it names none.
CYPHER 25
CALL db.info() YIELD name
RETURN name AS name
