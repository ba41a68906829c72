-- Returns whether an address of a merchant belongs to a customer permanently, as a deposit address, and so serves no
-- order, on all networks of the family, including those that are added later.
CREATE OR REPLACE FUNCTION is_permanent_address(p_merchant_id text, p_family text, p_address text)
RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (
    SELECT FROM deposit_addresses d WHERE d.merchant_id = p_merchant_id AND d.family = p_family AND d.address = p_address);
END
$$;
