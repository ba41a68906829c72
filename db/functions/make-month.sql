-- Creates the partition of a monthly table for the month that begins at p_from. Returns false if it exists. Web and
-- worker have no right to create tables, so the function runs as the owner, and only for these two tables. All names
-- are schema-qualified, so that none depends on the search path.
CREATE OR REPLACE FUNCTION make_month(p_table text, p_from date) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  home text := current_schema();
  name text := p_table || to_char(p_from, '_YYYY_MM');
BEGIN
  IF p_table NOT IN ('audit_events', 'callback_attempts') OR p_from <> date_trunc('month', p_from) THEN
    RAISE EXCEPTION '% has no month from %', p_table, p_from USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext(name));
  IF to_regclass(format('%I.%I', home, name)) IS NOT NULL THEN
    RETURN false;
  END IF;
  EXECUTE format('CREATE TABLE %I.%I (LIKE %I.%I INCLUDING ALL)', home, name, home, p_table);
  EXECUTE format('ALTER TABLE %I.%I ATTACH PARTITION %I.%I FOR VALUES FROM (%L) TO (%L)', home, p_table, home, name,
    p_from::timestamp AT TIME ZONE 'UTC', (p_from + interval '1 month')::timestamp AT TIME ZONE 'UTC');
  RETURN true;
END
$$;
REVOKE ALL ON FUNCTION make_month(text, date) FROM PUBLIC;
