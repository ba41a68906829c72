-- Amounts at a shared address that end in nines are reserved for the time after a restore from a dump (db/dump/guard-lost-orders.ts): an
-- address offers the amounts that end in exactly p_level nines, usually none.

-- Returns whether an address of this level offers an amount. The same rule as isOffered in lib/domain/orders/quote.ts.
CREATE OR REPLACE FUNCTION is_offered(p_micro bigint, p_level integer) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (p_micro + 1) % (10 ^ p_level)::bigint = 0 AND (p_micro + 1) % (10 ^ (p_level + 1))::bigint <> 0
$$;
