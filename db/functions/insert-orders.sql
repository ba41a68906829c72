-- Creates orders with their quotes, many in one statement and one commit. Each is created or refused alone. Returns for each, by its position
-- in p_orders (from 1), in any order, a code and its parameters:
--   created: receiving_address_id, address, kind, mac and base_units are those of its quote
--   used: the merchant used the mch_order_id before, also earlier in p_orders, or for an order that is deleted since
--   deadKey, notOffered, noAddress, allTaken: no parameters
--   tooLittle, tooMuch: limit (in millionths of the currency)
--   networkClosed: those of network_refusal_code
-- Orders are inserted in the order of their numbers, so that two calls never block each other; nothing else waits.
-- Small statements over arrays instead of a large one with joins: their fixed cost is small, and their plans stay good whatever the tables
-- hold.
CREATE OR REPLACE FUNCTION insert_orders(p_orders jsonb, p_now timestamptz)
RETURNS TABLE (item bigint, code text, params jsonb, expires_ms float8,
  receiving_address_id text, address text, kind text, mac text, base_units text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v record;
  v_ids text[];
  v_wanted quotes[];
  v_held quotes[] := '{}';
BEGIN
  SELECT * INTO v FROM check_orders(p_orders, p_now);

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
    v_wanted := array(SELECT w FROM unnest((SELECT v.wanted)) w WHERE w.order_id = ANY ((SELECT v_ids)::text[]));
    v_held := reserve_quotes(v_wanted, p_now);
    IF cardinality(v_held) < cardinality(v_wanted) THEN
      DELETE FROM orders o USING unnest(without_held(v_wanted, v_held)) w WHERE o.id = w.order_id AND o.merchant_id = w.merchant_id;
    END IF;
  END IF;

  RETURN QUERY
    SELECT w.item, r.code, CASE r.code WHEN v.codes[w.item] THEN v.params[w.item] END, extract(epoch FROM v.expires_at[w.item])::float8 * 1000,
      h.receiving_address_id, h.address, h.kind, a.mac, h.base_units::text
    FROM ROWS FROM (jsonb_to_recordset(p_orders) AS (id text, merchant_id text, mch_order_id text, network text))
      WITH ORDINALITY AS w (id, merchant_id, mch_order_id, network, item)
    LEFT JOIN unnest((SELECT v_held)) h ON h.order_id = w.id
    LEFT JOIN LATERAL (
      SELECT a.mac FROM receiving_addresses a WHERE a.id = h.receiving_address_id AND a.merchant_id = h.merchant_id OFFSET 0) a ON true
    CROSS JOIN LATERAL (SELECT CASE
      WHEN h.id IS NOT NULL THEN 'created'
      WHEN w.id = ANY ((SELECT v_ids)::text[]) THEN nothing_free(w.merchant_id, w.network)
      WHEN v.codes[w.item] = 'deadKey' THEN 'deadKey'
      WHEN v.codes[w.item] IS NULL OR is_used(w.merchant_id, w.mch_order_id) THEN 'used'
      ELSE v.codes[w.item] END AS code) r;
END
$$;
