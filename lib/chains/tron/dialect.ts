import { callRpc, type Dialect, EVM_DIALECT } from "@/lib/chains/endpoints/rpc";
import { callTronHttp } from "@/lib/chains/tron/http";

/**
 * TRON's nodes: URLs that end in /jsonrpc speak Ethereum's JSON-RPC, all others TRON's HTTP API. Receipts and logs of a
 * block come when the next one is there; until then a node shows the block as one without any.
 */
export const TRON_DIALECT: Dialect = {
  ...EVM_DIALECT,
  receiptLag: 1,
  callOf: (url) => (/\/jsonrpc\/?$/.test(new URL(url).pathname) ? callRpc : callTronHttp),
};
