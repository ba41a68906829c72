-- Returns whether a dedicated address can be held from now on: it belongs to no customer permanently, and the new hold
-- overlaps no earlier one, on any network of the family, also if the clock was set back (rests_until is the end of the
-- latest hold). Called with the lock on the address (hold_lock), as a statement of its own.
CREATE OR REPLACE FUNCTION is_cooled_down(p_merchant_id text, p_family text, p_address text, p_now timestamptz)
RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN NOT is_permanent_address(p_merchant_id, p_family, p_address) AND NOT EXISTS (
    SELECT FROM receiving_addresses r
    WHERE r.merchant_id = p_merchant_id AND r.address = p_address AND r.family = p_family
      AND r.rests_until >= p_now - interval '2 minutes');
END
$$;
