import * as z from "zod";
import { callRpc, type NodeProtocol } from "@/lib/chains/endpoints/rpc";

const HexNumber = z.string().regex(/^0x[0-9a-f]{1,13}$/i);
const Notification = z.object({ result: z.object({ number: HexNumber.transform(Number) }) });

/** The JSON-RPC protocol of EVM nodes. */
export const EVM_PROTOCOL: NodeProtocol = {
  identify: { method: "eth_chainId", params: [], read: readChainId },
  callOf: () => callRpc,
  receiptLag: 0,
  hasPastState: true,
  heads: {
    subscribe: { method: "eth_subscribe", params: ["newHeads"] },
    notification: "eth_subscription",
    heightOf: (params) => Notification.safeParse(params).data?.result.number ?? null,
  },
};

function readChainId(result: unknown): string | null {
  const { success, data } = HexNumber.safeParse(result);
  return success ? BigInt(data).toString() : null;
}
