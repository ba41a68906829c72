-- For calls of the previous version that are under way during the migration; the next release drops it.
-- An amount here is in millionths of its currency ("micro units"): the same on every network of a family. The functions
-- take base units (p_step of them are one millionth) only where they write them.

-- The lock that a transaction holds on an amount it is about to reserve, so that others pass by instead of waiting for it.
CREATE OR REPLACE FUNCTION amount_lock(p_address text, p_currency text, p_micro bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT hashtextextended(p_address || p_currency, p_micro)
$$;
