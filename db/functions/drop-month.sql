-- Drops the partition of a monthly table for the month that begins at p_from. Returns false if there is none. Runs as
-- the owner, as make_month does, and only for these two tables.
CREATE OR REPLACE FUNCTION drop_month(p_table text, p_from date) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  home text := current_schema();
  name text := p_table || to_char(p_from, '_YYYY_MM');
BEGIN
  IF p_table NOT IN ('audit_events', 'callback_attempts') THEN
    RAISE EXCEPTION '% has no months', p_table USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF to_regclass(format('%I.%I', home, name)) IS NULL THEN
    RETURN false;
  END IF;
  EXECUTE format('DROP TABLE %I.%I', home, name);
  RETURN true;
END
$$;
REVOKE ALL ON FUNCTION drop_month(text, date) FROM PUBLIC;
