-- Assigns a permanent address on a network to a customer of a merchant, or returns the one that the customer has.
-- `outcome`: 'made', 'had', 'deadKey', or 'noAddress' if no dedicated address is free. On another network of a family
-- the customer keeps the address, if the merchant has it there too. A new one never served an order: a late transfer
-- for another payer's order would be credited to this customer. Concurrent calls for the same customer wait for each
-- other; calls for different customers do not.
CREATE OR REPLACE FUNCTION take_deposit_address(
  p_id text, p_key_id text, p_merchant_id text, p_customer_ref text, p_network text, p_notify_url text, p_now timestamptz,
  OUT outcome text, OUT deposit_id text, OUT receiving_address_id text, OUT address text, OUT kind text, OUT mac text,
  OUT is_closed boolean, OUT created_ms float8)
LANGUAGE plpgsql AS $$
DECLARE
  v_family text;
  v_passed text[] := '{}';
  v_all bigint;
  v_free bigint;
BEGIN
  IF NOT EXISTS (SELECT FROM api_keys k WHERE k.id = p_key_id AND k.merchant_id = p_merchant_id AND is_live(k.ends_at, p_now)) THEN
    outcome := 'deadKey';
    RETURN;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended(jsonb_build_array('deposit', p_merchant_id, p_customer_ref)::text, 0));

  SELECT d.id, r.id, r.address, r.kind, r.mac, r.paused_at IS NOT NULL OR r.removed_at IS NOT NULL, extract(epoch FROM d.created_at) * 1000
  INTO deposit_id, receiving_address_id, address, kind, mac, is_closed, created_ms
  FROM deposit_addresses d JOIN receiving_addresses r ON r.id = d.receiving_address_id AND r.merchant_id = d.merchant_id
  WHERE d.merchant_id = p_merchant_id AND d.customer_ref = p_customer_ref AND d.network = p_network;
  IF FOUND THEN
    outcome := 'had';
    UPDATE deposit_addresses d SET notify_url = p_notify_url
    WHERE d.id = deposit_id AND d.merchant_id = p_merchant_id AND p_notify_url IS NOT NULL AND d.notify_url IS DISTINCT FROM p_notify_url;
    RETURN;
  END IF;

  SELECT r.id, r.address, r.family, r.kind, r.mac INTO receiving_address_id, address, v_family, kind, mac
  FROM deposit_addresses d JOIN receiving_addresses r
    ON r.merchant_id = d.merchant_id AND r.family = d.family AND r.address = d.address AND r.network = p_network
  WHERE d.merchant_id = p_merchant_id AND d.customer_ref = p_customer_ref AND r.kind = 'dedicated'
    AND r.paused_at IS NULL AND r.removed_at IS NULL
  ORDER BY d.created_at LIMIT 1;

  WHILE receiving_address_id IS NULL LOOP
    SELECT r.id, r.address, r.family, r.kind, r.mac INTO receiving_address_id, address, v_family, kind, mac FROM receiving_addresses r
    WHERE r.merchant_id = p_merchant_id AND r.network = p_network AND r.kind = 'dedicated'
      AND r.paused_at IS NULL AND r.removed_at IS NULL AND r.rests_until = 'epoch' AND r.id <> ALL (v_passed)
    ORDER BY r.source_index, r.id LIMIT 1
    FOR NO KEY UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
      outcome := 'noAddress';
      RETURN;
    END IF;
    v_passed := v_passed || receiving_address_id;
    -- The address may have served, or may be serving now, on another network of the family.
    SELECT count(*) INTO v_all FROM receiving_addresses s
    WHERE s.merchant_id = p_merchant_id AND s.family = v_family AND s.address = take_deposit_address.address;
    WITH held AS (
      SELECT s.rests_until FROM receiving_addresses s
      WHERE s.merchant_id = p_merchant_id AND s.family = v_family AND s.address = take_deposit_address.address AND s.kind = 'dedicated'
      FOR NO KEY UPDATE SKIP LOCKED)
    SELECT count(*) INTO v_free FROM held WHERE rests_until = 'epoch';
    IF v_free < v_all OR NOT pg_try_advisory_xact_lock(hold_lock(v_family, address, -1)) OR EXISTS (
      SELECT FROM deposit_addresses d
      WHERE d.merchant_id = p_merchant_id AND d.family = v_family AND d.address = take_deposit_address.address) THEN
      receiving_address_id := NULL;
    END IF;
  END LOOP;

  UPDATE receiving_addresses s SET rests_until = '9999-12-31 00:00:00+00'
  WHERE s.merchant_id = p_merchant_id AND s.family = v_family AND s.address = take_deposit_address.address;
  INSERT INTO deposit_addresses (id, merchant_id, customer_ref, network, family, receiving_address_id, address, api_key_id, notify_url, created_at)
  VALUES (p_id, p_merchant_id, p_customer_ref, p_network, v_family, receiving_address_id, address, p_key_id, p_notify_url, p_now);
  outcome := 'made';
  deposit_id := p_id;
  is_closed := false;
  created_ms := extract(epoch FROM p_now) * 1000;
END
$$;
