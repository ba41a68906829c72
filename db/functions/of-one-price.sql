-- Returns the quotes of p_wanted that have the merchant, network and price of the first of them, in their order.
CREATE OR REPLACE FUNCTION of_one_price(p_wanted quotes[]) RETURNS quotes[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  v_first constant quotes := p_wanted[1];
  v_same quotes[] := '{}';
  v_quote quotes;
BEGIN
  FOREACH v_quote IN ARRAY p_wanted LOOP
    IF v_quote.merchant_id = v_first.merchant_id AND v_quote.network = v_first.network AND v_quote.micro_units = v_first.micro_units THEN
      v_same := v_same || v_quote;
    END IF;
  END LOOP;
  RETURN v_same;
END
$$;
