/** The status of a merchant whose key is valid. The SDK of the hosted service reads an integer (`Model/Merchant`). */
export const ACTIVE_MERCHANT = 1;

/** The response of merchant/detail and plugin/activate. */
export interface MerchantData {
  merchant_id: string;
  /** Equal to `merchant_id`, under the name that clients of the hosted service read. */
  mch_id: string;
  name: string;
  status: typeof ACTIVE_MERCHANT;
}

/** Returns the public representation of a merchant whose key is valid. */
export function toMerchantData({ id, name }: { id: string; name: string }): MerchantData {
  return { merchant_id: id, mch_id: id, name, status: ACTIVE_MERCHANT };
}
