-- Returns whether a hold of one of these quotes that begins now may overlap another one (overlaps_hold). It is nearly
-- always false, which saves calling overlaps_hold for each amount.
CREATE OR REPLACE FUNCTION may_overlap(p_quotes quotes[], p_now timestamptz) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (
      SELECT FROM (SELECT DISTINCT w.merchant_id AS id FROM unnest((SELECT p_quotes)) w) m CROSS JOIN LATERAL (
        SELECT q.released_at FROM quotes q
        WHERE q.merchant_id = m.id AND q.released_at IS NOT NULL ORDER BY q.released_at DESC LIMIT 1) latest
      WHERE latest.released_at >= p_now)
    OR EXISTS (SELECT FROM quotes q WHERE q.shares_amount AND q.released_at IS NULL);
END
$$;
