-- For calls of the previous version that are under way during the migration; the next release drops it.
-- The live amounts of an address from p_first on, 10,000 steps far, as bits; only those of p_among where it is given.
CREATE OR REPLACE FUNCTION live_amounts(p_merchant_id text, p_family text, p_currency text, p_address text, p_first bigint, p_among bigint[] DEFAULT NULL)
RETURNS bit varying LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_none constant bit varying := repeat('0', 10000)::bit(10000);
  v_taken bit varying := v_none;
BEGIN
  IF p_among IS NULL THEN
    SELECT bit_or(set_bit(v_none, (q.micro_units - p_first)::integer, 1)) INTO v_taken
    FROM quotes q
    WHERE q.merchant_id = p_merchant_id AND q.address = p_address AND q.currency = p_currency AND q.family = p_family
      AND q.micro_units >= p_first AND q.micro_units < p_first + 10000
      AND q.released_at IS NULL AND q.kind = 'shared';
  ELSE
    SELECT bit_or(set_bit(v_none, (q.micro_units - p_first)::integer, 1)) INTO v_taken
    FROM quotes q
    WHERE q.merchant_id = p_merchant_id AND q.address = p_address AND q.currency = p_currency AND q.family = p_family
      AND q.micro_units = ANY (p_among)
      AND q.micro_units >= p_first AND q.micro_units < p_first + 10000
      AND q.released_at IS NULL AND q.kind = 'shared';
  END IF;
  RETURN coalesce(v_taken, v_none);
END
$$;
