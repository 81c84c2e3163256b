-- deploy/databases.sql keeps every role out of the database postgres. These two roles of the operator connect to it: a former primary
-- to rejoin with pg_rewind, and the exporter of metrics.
grant connect on database postgres to streaming_replica, cnpg_metrics_exporter;
