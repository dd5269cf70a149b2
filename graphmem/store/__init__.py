"""The database: the catalogue of statements, the driver and the schema. Nothing else imports neo4j."""
