-- Returns whether a merchant used an mch_order_id of the API before, also for an order that is deleted since.
CREATE OR REPLACE FUNCTION is_used(p_merchant_id text, p_mch_order_id text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM used_order_numbers u WHERE u.merchant_id = p_merchant_id AND u.mch_order_id = p_mch_order_id AND u.dialect = 'api')
    OR EXISTS (SELECT FROM orders o WHERE o.merchant_id = p_merchant_id AND o.mch_order_id = p_mch_order_id AND o.dialect = 'api')
$$;
