-- Returns those of some dedicated addresses that can be held from now on: an address that belongs to no customer
-- permanently (see is_permanent_address), where the new hold overlaps no earlier one, on any network of the family, also
-- if the clock was set back (rests_until is the end of the latest hold). `place` is the position of the address in p_ids.
-- Called with the locks on the addresses (hold_lock), as a statement of its own.
CREATE OR REPLACE FUNCTION cooled_down(p_ids text[], p_now timestamptz)
RETURNS TABLE (id text, merchant_id text, network text, family text, address text, place bigint) LANGUAGE sql STABLE AS $$
  SELECT r.id, r.merchant_id, r.network, r.family, r.address, o.place
  FROM unnest((SELECT p_ids)) WITH ORDINALITY AS o (id, place)
  CROSS JOIN LATERAL (
    SELECT a.id, a.merchant_id, a.network, a.family, a.address FROM receiving_addresses a WHERE a.id = o.id OFFSET 0) r
  WHERE NOT EXISTS (
      SELECT FROM deposit_addresses d WHERE d.merchant_id = r.merchant_id AND d.family = r.family AND d.address = r.address OFFSET 0)
    AND NOT EXISTS (
      SELECT FROM receiving_addresses s
      WHERE s.merchant_id = r.merchant_id AND s.address = r.address AND s.family = r.family
        AND s.rests_until >= (SELECT p_now) - interval '2 minutes' OFFSET 0)
$$;
