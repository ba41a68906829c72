-- Amounts in these functions are in millionths of a currency ("micro units"), the same for every token and network of a family. They become
-- base units (p_step of them are one millionth) only where a quote is inserted.

-- Returns the key of the advisory lock that a transaction takes on an amount before it reserves it, so that other
-- transactions skip the amount instead of waiting for it. The key excludes the currency: an amount is held for every
-- currency at its address.
CREATE OR REPLACE FUNCTION hold_lock(p_family text, p_address text, p_micro bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT hashtextextended(p_family || p_address, p_micro)
$$;
