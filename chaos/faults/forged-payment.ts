import type { ChaosPayment } from "@/chaos/chains/chain";
import { forgeOnEvm } from "@/chaos/faults/evm-forgery";
import type { Fault } from "@/chaos/faults/fault-proxy";
import { inventOnSolana } from "@/chaos/faults/solana-forgery";
import { inventOnTronHttp } from "@/chaos/faults/tron-http-forgery";
import type { Random } from "@/chaos/plan/random";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import { getToken, type Network } from "@/lib/domain/networks";

/** The name of the fault: an endpoint reports a payment that no chain contains. */
export const FORGED_PAYMENT = "forges a payment";

/**
 * Returns the fault of an endpoint that reports a forged payment for an open order, in a real block, in every API that it serves.
 * @param ahead the number of blocks that it falsely reports as final
 */
export function inventPayment(network: Network, payment: ChaosPayment, random: Random, ahead = 0): Fault {
  const token = canonicalAddress(network.family, getToken(network, payment.currency).contract);
  const forgery = { token, to: payment.to, baseUnits: payment.baseUnits };
  if (network.family === "solana") return inventOnSolana(forgery, random, ahead > 0);
  const inRpc = forgeOnEvm(forgery, random, ahead);
  const inHttp = inventOnTronHttp(forgery, random, ahead > 0);
  return (exchange) => (exchange.call.method.startsWith("/") ? inHttp(exchange) : inRpc(exchange));
}
