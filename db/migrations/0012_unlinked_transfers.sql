-- Transfers that stayed linked to a cancelled order are unmatched from now on, as after a cancellation today. What a user assigned stays.
WITH linked AS MATERIALIZED (
  SELECT t.id, t.merchant_id, t.order_id, t.status
  FROM transfers t JOIN orders o ON o.id = t.order_id AND o.merchant_id = t.merchant_id
  WHERE o.status = 'cancelled' AND NOT EXISTS (
    SELECT FROM transfers a WHERE a.order_id = o.id AND a.merchant_id = o.merchant_id AND a.is_assigned)
  ORDER BY t.id
  FOR UPDATE OF t
), unlinked AS (
  UPDATE transfers t SET order_id = NULL, quote_id = NULL, matched_at = now(),
    meant_order_id = CASE WHEN l.status <> 'dropped' THEN l.order_id END,
    unmatched_reason = CASE WHEN l.status = 'dropped' THEN 'taken_back' ELSE 'order_cancelled' END
  FROM linked l WHERE t.id = l.id AND t.merchant_id = l.merchant_id
  RETURNING l.order_id, l.merchant_id
)
UPDATE orders o SET paid_units = 0, exception = NULL, version = o.version + 1, changed_at = now()
WHERE (o.id, o.merchant_id) IN (SELECT order_id, merchant_id FROM unlinked);--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "unlinked_at" timestamp (3) with time zone;
