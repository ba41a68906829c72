-- Returns the start time of the oldest transaction of the role that owns this function. Web and worker have a role of
-- their own, and PostgreSQL does not show a role the times of other roles. While processes of an earlier version are
-- connected as the owner, only this function can read theirs.
CREATE OR REPLACE FUNCTION oldest_transaction() RETURNS timestamptz LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT min(a.xact_start) FROM pg_catalog.pg_stat_activity a
  WHERE a.datname = pg_catalog.current_database() AND a.backend_type = 'client backend' AND a.pid <> pg_catalog.pg_backend_pid()
$$;
REVOKE ALL ON FUNCTION oldest_transaction() FROM PUBLIC;
