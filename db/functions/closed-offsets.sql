-- The 10,000 amounts from p_price on, as bits: 1 where an address of this level does not offer the amount (first_offered).
-- The patterns are constants of the plan: reading 10,000 bits from a text at each call costs more than all else.
CREATE OR REPLACE FUNCTION closed_offsets(p_price bigint, p_level integer) RETURNS bit varying LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  v_offered bit varying := repeat('0', 10000)::bit(10000);
BEGIN
  -- Amounts that end in at least p_level nines, without those that end in one more.
  FOR v_nines IN p_level .. p_level + 1 LOOP
    v_offered := v_offered # CASE v_nines
      WHEN 0 THEN repeat('1', 10000)::bit(10000)
      WHEN 1 THEN substring(repeat('0000000001', 1001)::bit(10010) FROM 1 + (p_price % 10)::integer FOR 10000)
      WHEN 2 THEN substring(repeat(repeat('0', 99) || '1', 101)::bit(10100) FROM 1 + (p_price % 100)::integer FOR 10000)
      WHEN 3 THEN substring(repeat(repeat('0', 999) || '1', 11)::bit(11000) FROM 1 + (p_price % 1000)::integer FOR 10000)
      WHEN 4 THEN substring(repeat(repeat('0', 9999) || '1', 2)::bit(20000) FROM 1 + (p_price % 10000)::integer FOR 10000)
      ELSE repeat('0', 10000)::bit(10000) END;
  END LOOP;
  RETURN ~v_offered;
END
$$;
