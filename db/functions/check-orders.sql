-- Checks the orders of insert_orders before any is inserted. The arrays have one element for each order, by its
-- position in p_orders: the code and parameters of its refusal (null: accepted), its expiry, and the quote to reserve
-- (see reserve_quotes).
CREATE OR REPLACE FUNCTION check_orders(p_orders jsonb, p_now timestamptz,
  OUT codes text[], OUT params jsonb[], OUT expires_at timestamptz[], OUT wanted quotes[])
LANGUAGE plpgsql AS $$
DECLARE
  v record;
  v_terms record;
  v_key text;
  v_network text;
  v_micro bigint;
  v_quote quotes;
BEGIN
  FOR v IN
    SELECT w.* FROM ROWS FROM (jsonb_to_recordset(p_orders) AS (id text, quote_id text, key_id text, merchant_id text, network text,
        currency text, token text, amount numeric, step numeric, expires_in integer))
      WITH ORDINALITY AS w (id, quote_id, key_id, merchant_id, network, currency, token, amount, step, expires_in, item)
    ORDER BY w.key_id, w.network, w.item
  LOOP
    IF v_key IS DISTINCT FROM v.key_id OR v_network IS DISTINCT FROM v.network THEN
      v_key := v.key_id;
      v_network := v.network;
      v_terms := order_terms(v_key, v.merchant_id, v_network, p_now);
    END IF;
    v_micro := div(v.amount, v.step);
    codes[v.item] := CASE WHEN v_terms.late_window IS NULL THEN 'deadKey'
      ELSE coalesce(order_refusal(v_network, v.currency, v_micro, v_terms.off_methods, v_terms.min_micro, v_terms.max_micro),
        CASE WHEN v_terms.network_refusal IS NOT NULL THEN 'networkClosed' END) END;
    params[v.item] := CASE codes[v.item]
      WHEN 'tooLittle' THEN jsonb_build_object('limit', v_terms.min_micro::text)
      WHEN 'tooMuch' THEN jsonb_build_object('limit', v_terms.max_micro::text)
      WHEN 'networkClosed' THEN v_terms.network_refusal END;
    expires_at[v.item] := date_trunc('second',
      p_now + make_interval(secs => coalesce(v.expires_in, v_terms.expires_in)) + interval '999 milliseconds');
    v_quote.id := v.quote_id;
    v_quote.order_id := v.id;
    v_quote.merchant_id := v.merchant_id;
    v_quote.network := v_network;
    v_quote.currency := v.currency;
    v_quote.token := v.token;
    v_quote.base_units := v.amount;
    v_quote.micro_units := v_micro;
    v_quote.reserved_until := expires_at[v.item] + make_interval(secs => v_terms.late_window);
    wanted[v.item] := v_quote;
  END LOOP;
END
$$;
