import { formText } from "@/lib/domain/fields/form";
import type { Network } from "@/lib/domain/networks";
import { type MerchantWait, parseMerchantWait } from "@/lib/domain/networks/finality";

/** Returns the form for a merchant's required confirmations on a network. */
export function confirmationsForm(network: Network) {
  return {
    confirmations: formText<MerchantWait>((typed) => {
      const wait = parseMerchantWait(network, typed);
      return "problem" in wait ? wait : { value: wait };
    }),
  };
}
