-- Why a merchant takes no order for so many millionths of a token: 'notOffered', 'tooLittle', 'tooMuch'; null where it is taken.
-- p_off: what is not offered, as ",bsc USDT,…,".
CREATE OR REPLACE FUNCTION order_refusal(p_network text, p_currency text, p_micro numeric, p_off text, p_least bigint, p_most bigint)
RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN strpos(p_off, ',' || p_network || ' ' || p_currency || ',') > 0 THEN 'notOffered'
    WHEN p_micro < p_least THEN 'tooLittle'
    WHEN p_micro > p_most THEN 'tooMuch' END
$$;
