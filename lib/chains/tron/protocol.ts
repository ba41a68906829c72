import { callRpc, type NodeProtocol } from "@/lib/chains/endpoints/rpc";
import { EVM_PROTOCOL } from "@/lib/chains/evm/protocol";
import { callTronHttp } from "@/lib/chains/tron/http";

/**
 * The protocol of TRON's nodes: URLs that end in /jsonrpc use Ethereum's JSON-RPC, all others TRON's HTTP API. Receipts and logs of a
 * block are available once the next block exists; until then, a node returns the block without receipts and logs.
 */
export const TRON_PROTOCOL: NodeProtocol = {
  ...EVM_PROTOCOL,
  receiptLag: 1,
  hasPastState: false,
  heads: null,
  callOf: (url) => (/\/jsonrpc\/?$/.test(new URL(url).pathname) ? callRpc : callTronHttp),
};
