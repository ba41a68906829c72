-- Returns a wanted quote (see reserve_quotes) as it is inserted: with the receiving address and the amount that it is to hold from now on.
CREATE OR REPLACE FUNCTION place_quote(p_wanted quotes, p_receiving_address_id text, p_family text, p_address text, p_kind text,
  p_micro bigint, p_now timestamptz)
RETURNS quotes LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF p_micro <> p_wanted.micro_units THEN
    p_wanted.base_units := p_micro * div(p_wanted.base_units, p_wanted.micro_units);
    p_wanted.micro_units := p_micro;
  END IF;
  p_wanted.receiving_address_id := p_receiving_address_id;
  p_wanted.family := p_family;
  p_wanted.address := p_address;
  p_wanted.kind := p_kind;
  p_wanted.created_at := p_now;
  RETURN p_wanted;
END
$$;
