-- Whether the amount of a quote that was just inserted at a shared address is held by a quote outside the unique index: one of another
-- currency from before currencies shared their amounts. Called after the insert, as a statement of its own: no other transaction can take
-- the amount any more, so what it reads stays true.
CREATE OR REPLACE FUNCTION overlaps_hold(p_merchant_id text, p_family text, p_address text, p_micro bigint) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (
    SELECT FROM quotes q
    WHERE q.merchant_id = p_merchant_id AND q.address = p_address AND q.micro_units = p_micro AND q.family = p_family
      AND q.shares_amount AND q.released_at IS NULL);
END
$$;
