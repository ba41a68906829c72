import { z } from "zod";
import { callRpc, type RpcCall, type RpcOptions } from "@/lib/chains/endpoints/rpc";

/** How the nodes of a family are asked, say which chain they serve, and mean their errors. */
export interface Dialect {
  /** The call that tells the chain id, and how its answer reads; null when it is none. */
  identify: RpcCall & { read: (result: unknown) => string | null };
  kindOfError?: RpcOptions["kindOfError"];
  /** How a call is put to a URL. */
  callOf: (url: string) => typeof callRpc;
  /** Blocks by which receipts and logs come after their block. */
  receiptLag: number;
}

/** JSON-RPC of EVM nodes. */
export const EVM_DIALECT: Dialect = {
  identify: { method: "eth_chainId", params: [], read: readChainId },
  callOf: () => callRpc,
  receiptLag: 0,
};

const HexNumber = z.string().regex(/^0x[0-9a-f]{1,13}$/i);

function readChainId(result: unknown): string | null {
  const { success, data } = HexNumber.safeParse(result);
  return success ? BigInt(data).toString() : null;
}
