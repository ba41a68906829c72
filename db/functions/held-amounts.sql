-- The amounts that live quotes hold at a shared address, 10,000 from p_first on, as bits; if p_among is given, only those among it.
CREATE OR REPLACE FUNCTION held_amounts(p_merchant_id text, p_family text, p_address text, p_first bigint, p_among bigint[] DEFAULT NULL)
RETURNS bit varying LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_none constant bit varying := repeat('0', 10000)::bit(10000);
  v_held bit varying := v_none;
BEGIN
  IF p_among IS NULL THEN
    SELECT bit_or(set_bit(v_none, (q.micro_units - p_first)::integer, 1)) INTO v_held
    FROM quotes q
    WHERE q.merchant_id = p_merchant_id AND q.address = p_address AND q.family = p_family
      AND q.micro_units >= p_first AND q.micro_units < p_first + 10000
      AND q.released_at IS NULL AND q.kind = 'shared' AND NOT q.shares_amount;
  ELSE
    SELECT bit_or(set_bit(v_none, (q.micro_units - p_first)::integer, 1)) INTO v_held
    FROM quotes q
    WHERE q.merchant_id = p_merchant_id AND q.address = p_address AND q.family = p_family
      AND q.micro_units = ANY (p_among)
      AND q.micro_units >= p_first AND q.micro_units < p_first + 10000
      AND q.released_at IS NULL AND q.kind = 'shared' AND NOT q.shares_amount;
  END IF;
  RETURN coalesce(v_held, v_none);
END
$$;
