-- Creates orders with their quotes, many in one statement and one commit. Each is created or refused independently.
-- Returns a code and its parameters for each, by its position in p_orders (from 1), in any order:
-- - created: receiving_address_id, address, kind, mac and base_units are those of its quote
-- - used: the merchant used the mch_order_id before, also earlier in p_orders, or for an order that is deleted since
-- - deadKey, notOffered, noAddress, allTaken: no parameters
-- - tooLittle, tooMuch: limit (in millionths of the currency)
-- - networkClosed: those of network_refusal_code
-- Orders are inserted in the order of their numbers, so that two calls never deadlock.
-- The function uses small statements over arrays instead of a large one with joins: their fixed cost is small, and
-- their plans stay good for any content of the tables.
CREATE OR REPLACE FUNCTION insert_orders(p_orders jsonb, p_now timestamptz)
RETURNS TABLE (item bigint, code text, params jsonb, expires_ms float8,
  receiving_address_id text, address text, kind text, mac text, base_units text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v record;
  v_ids text[];
  v_held quotes[] := '{}';
  v_held_ids text[] := '{}';
  v_address_id text;
  v_address_ids text[] := '{}';
  v_macs text[];
  v_quote quotes;
BEGIN
  v := check_orders(p_orders, p_now);

  WITH created AS (
    INSERT INTO orders AS o (id, merchant_id, api_key_id, mch_order_id, network, currency, amount_units, price, quote_id, status,
      notify_url, redirect_url, locale, subject, metadata, expires_at, created_at, changed_at)
    SELECT w.id, w.merchant_id, w.key_id, w.mch_order_id, w.network, w.currency, w.amount, w.price, w.quote_id, 'pending', w.notify_url,
      w.redirect_url, w.locale, w.subject, w.metadata, v.expires_at[w.item], p_now, p_now
    FROM ROWS FROM (jsonb_to_recordset(p_orders) AS (
        id text, quote_id text, key_id text, merchant_id text, mch_order_id text, network text, currency text, amount numeric, price jsonb,
        notify_url text, redirect_url text, locale text, subject text, metadata text))
      WITH ORDINALITY AS w (id, quote_id, key_id, merchant_id, mch_order_id, network, currency, amount, price,
        notify_url, redirect_url, locale, subject, metadata, item)
    WHERE v.codes[w.item] IS NULL AND NOT EXISTS (
      SELECT FROM used_order_numbers u WHERE u.merchant_id = w.merchant_id AND u.mch_order_id = w.mch_order_id AND u.dialect = 'api')
    ORDER BY w.merchant_id, w.mch_order_id, w.item
    ON CONFLICT (merchant_id, mch_order_id, dialect) DO NOTHING
    RETURNING o.id)
  SELECT array_agg(c.id) INTO v_ids FROM created c;

  IF v_ids IS NOT NULL THEN
    v_held := reserve_for_orders(v_ids, v.wanted, v.expires_at, p_now);
  END IF;

  FOREACH v_quote IN ARRAY v_held LOOP
    v_held_ids := v_held_ids || v_quote.order_id;
    IF v_quote.receiving_address_id IS DISTINCT FROM v_address_id THEN
      v_address_id := v_quote.receiving_address_id;
      v_address_ids := v_address_ids || v_address_id;
    END IF;
  END LOOP;
  SELECT array_agg(r.id), array_agg(r.mac) INTO v_address_ids, v_macs FROM unnest((SELECT v_address_ids)) AS o (id)
  CROSS JOIN LATERAL (SELECT a.id, a.mac FROM receiving_addresses a WHERE a.id = o.id OFFSET 0) r;
  FOR i IN 1 .. jsonb_array_length(p_orders) LOOP
    item := i;
    expires_ms := extract(epoch FROM v.expires_at[i])::float8 * 1000;
    v_quote := v_held[array_position(v_held_ids, v.wanted[i].order_id)];
    IF v_quote.receiving_address_id IS DISTINCT FROM receiving_address_id THEN
      mac := v_macs[array_position(v_address_ids, v_quote.receiving_address_id)];
    END IF;
    receiving_address_id := v_quote.receiving_address_id;
    address := v_quote.address;
    kind := v_quote.kind;
    base_units := v_quote.base_units::text;
    v_quote := v.wanted[i];
    code := CASE
      WHEN receiving_address_id IS NOT NULL THEN 'created'
      WHEN v_quote.order_id = ANY (v_ids) THEN nothing_free(v_quote.merchant_id, v_quote.network)
      WHEN v.codes[i] = 'deadKey' THEN 'deadKey'
      WHEN v.codes[i] IS NULL OR is_used(v_quote.merchant_id, p_orders -> (i - 1) ->> 'mch_order_id') THEN 'used'
      ELSE v.codes[i] END;
    params := CASE code WHEN v.codes[i] THEN v.params[i] END;
    RETURN NEXT;
  END LOOP;
END
$$;
