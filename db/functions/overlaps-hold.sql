-- Returns whether another hold at a shared address overlaps that of a quote that was just inserted there, in one of the
-- two cases that the unique index does not exclude: a live quote of another currency, from before currencies shared
-- their amounts; or a released one whose hold ended less than two minutes before the new one begins, because the clock
-- was set back (after a failover, for example) or the statement began before the release. Called after the insert, as a
-- statement of its own: no other transaction can take the amount any more, so the result stays true.
-- The newest release is read first, by a plan that does not depend on the time: it is nearly always older.
CREATE OR REPLACE FUNCTION overlaps_hold(p_merchant_id text, p_family text, p_address text, p_micro bigint, p_now timestamptz)
RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_released_at timestamptz;
BEGIN
  SELECT q.released_at INTO v_released_at FROM quotes q
  WHERE q.merchant_id = p_merchant_id AND q.released_at IS NOT NULL ORDER BY q.released_at DESC LIMIT 1;
  IF v_released_at >= p_now AND EXISTS (
    SELECT FROM quotes q
    WHERE q.merchant_id = p_merchant_id AND q.released_at >= p_now AND q.address = p_address AND q.micro_units = p_micro
      AND q.family = p_family AND q.kind = 'shared' AND q.reserved_until >= p_now - interval '2 minutes') THEN
    RETURN true;
  END IF;
  RETURN EXISTS (
    SELECT FROM quotes q
    WHERE q.merchant_id = p_merchant_id AND q.address = p_address AND q.micro_units = p_micro AND q.family = p_family
      AND q.shares_amount AND q.released_at IS NULL);
END
$$;
