-- Returns whether a due callback to a webhook is next in its sequence: the nth attempt of a callback begins only when every earlier callback
-- of the same order to the same webhook was acknowledged, has failed for good, or has completed its own nth attempt. A callback that cannot
-- be signed does not hold up later ones until its next attempt, because the same reason postpones them too. p_recorded contains the ids of
-- callbacks whose attempts are being recorded by the same statement. As a function of low cost, the condition does not change the plan of
-- the claim, which must follow the index on origin and time.
CREATE OR REPLACE FUNCTION is_next_of_webhook(p_merchant_id text, p_order_id text, p_webhook_id text, p_position bigint,
  p_series_attempts integer, p_at timestamptz, p_recorded text[]) RETURNS boolean LANGUAGE plpgsql STABLE COST 1 AS $$
BEGIN
  RETURN NOT EXISTS (
    SELECT FROM callbacks earlier
    WHERE earlier.merchant_id = p_merchant_id AND earlier.webhook_id = p_webhook_id AND earlier.position < p_position
      AND earlier.order_id = p_order_id AND earlier.status = 'pending' AND earlier.series_attempts <= p_series_attempts
      AND earlier.id <> ALL (p_recorded)
      AND (earlier.unsigned_since IS NULL OR earlier.next_attempt_at <= p_at OR earlier.lease_owner IS NOT NULL));
END
$$;
