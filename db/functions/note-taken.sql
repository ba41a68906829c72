-- Serves transactions of the previous version that are open during the migration; the next release drops it.
CREATE OR REPLACE FUNCTION note_taken(p_merchant_id text, p_family text, p_currency text, p_address text, p_window bigint, p_taken bigint[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
END
$$;
