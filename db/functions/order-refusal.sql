-- Returns the code of why a merchant takes no order for an amount (in millionths of the currency): 'notOffered',
-- 'tooLittle' or 'tooMuch'; null: the merchant takes it. p_off: the methods that the merchant does not offer, as ",bsc
-- USDT,…,". The rules are those of methodName and refusedAmount in lib/domain/orders/terms.ts.
CREATE OR REPLACE FUNCTION order_refusal(p_network text, p_currency text, p_micro numeric, p_off text, p_least bigint, p_most bigint)
RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN strpos(p_off, ',' || p_network || ' ' || p_currency || ',') > 0 THEN 'notOffered'
    WHEN p_micro < p_least THEN 'tooLittle'
    WHEN p_micro > p_most THEN 'tooMuch' END
$$;
