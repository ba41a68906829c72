import { z } from "zod";
import type { Endpoint } from "@/lib/chains/endpoint";
import type { Call, Endpoints } from "@/lib/chains/endpoints";
import { logFilter, requireInSpan } from "@/lib/chains/evm-logs";
import { EvmLog, EvmReceipt, Header, quantity, TransactionCount } from "@/lib/chains/evm-wire";
import type { RpcCall } from "@/lib/chains/rpc";
import { ChainError, type Span } from "@/lib/chains/source";
import type { Network } from "@/lib/domain/networks";

const Logs = z.array(EvmLog);
const Receipts = z.array(EvmReceipt);
const NullableHeader = z.nullable(Header);

export interface FoundLogs {
  logs: EvmLog[];
  /** Name of the endpoint that answered. */
  endpoint: string;
}

export interface LogReader {
  /** @param only name of the one endpoint to ask; any when left out */
  (span: Span, addresses: ReadonlySet<string>, only?: string): Promise<FoundLogs>;
  lastEndpoint(): string | undefined;
}

/** Reads the logs of a span; where no endpoint serves logs of a single block, reads all its receipts instead. */
export function createLogReader(network: Network, endpoints: Endpoints): LogReader {
  let last: string | undefined;

  async function byFilter(span: Span, addresses: ReadonlySet<string>, only?: string): Promise<FoundLogs> {
    return endpoints.ask({
      only,
      method: "eth_getLogs",
      params: [logFilter(network, span, addresses)],
      feature: "blockHash" in span ? "logsByHash" : "logs",
      blocks: "blockHash" in span ? 1 : span.to - span.from + 1,
      before: (call, endpoint) => requireKnown(endpoints, call, endpoint, span),
      parse: (result, endpoint) => accept(Logs.parse(result), span, endpoint),
    });
  }

  async function byReceipts(span: Span, only?: string): Promise<FoundLogs> {
    let transactions: number | null = null;
    return endpoints.ask({
      only,
      method: "eth_getBlockReceipts",
      params: ["blockHash" in span ? span.blockHash : quantity(span.to)],
      feature: "blockReceipts",
      blocks: 1,
      before: async (call, endpoint) => {
        await requireKnown(endpoints, call, endpoint, span);
        transactions = TransactionCount.parse(await call(blockCall(span)));
      },
      parse: (result, endpoint) => {
        const receipts = Receipts.parse(result);
        requireWhole(receipts, transactions);
        const succeeded = receipts.filter((receipt) => receipt.status === 1);
        return accept(
          succeeded.flatMap((receipt) => receipt.logs),
          span,
          endpoint,
        );
      },
    });
  }

  async function read(span: Span, addresses: ReadonlySet<string>, only?: string): Promise<FoundLogs> {
    try {
      return await byFilter(span, addresses, only);
    } catch (error) {
      const isSingle = "blockHash" in span || span.from === span.to;
      const isHopeless = error instanceof ChainError && (error.kind === "refused" || error.kind === "rangeTooLarge");
      if (!isSingle || !isHopeless) throw error;
      return byReceipts(span, only);
    }
  }

  const reader = async (span: Span, addresses: ReadonlySet<string>, only?: string) => {
    const found = await read(span, addresses, only);
    last = found.endpoint;
    return found;
  };
  return Object.assign(reader, { lastEndpoint: () => last });
}

function accept(logs: EvmLog[], span: Span, endpoint: Endpoint): FoundLogs {
  requireInSpan(logs, span);
  return { logs, endpoint: endpoint.name };
}

function blockCall(span: Span): RpcCall {
  return "blockHash" in span
    ? { method: "eth_getBlockByHash", params: [span.blockHash, false] }
    : { method: "eth_getBlockByNumber", params: [quantity(span.to), false] };
}

/**
 * A node that has a block, but not its receipts, answers as if the block were empty. One receipt may be missing: some of
 * Polygon's nodes list a transaction of the network's own in blocks, but not among receipts.
 */
function requireWhole(receipts: readonly EvmReceipt[], transactions: number | null): void {
  const missing = (transactions ?? 0) - receipts.length;
  if (missing <= 0 || (missing === 1 && receipts.length > 0)) return;
  const words = `${receipts.length} receipts for ${transactions} transactions`;
  throw new ChainError("inconsistent", `eth_getBlockReceipts: ${words}`);
}

/** A node that lags answers "no logs" for blocks it does not have: one that has not shown the block yet must show it first. */
async function requireKnown(endpoints: Endpoints, call: Call, endpoint: Endpoint, span: Span): Promise<void> {
  const height = "blockHash" in span ? span.height : span.to;
  if (endpoint.height >= height) return;
  const isByHash = "blockHash" in span && endpoints.receiptLag === 0;
  const result = await call(
    isByHash
      ? { method: "eth_getBlockByHash", params: [span.blockHash, false] }
      : { method: "eth_getBlockByNumber", params: [quantity(height + endpoints.receiptLag), false] },
  );
  const header = NullableHeader.parse(result);
  if (!header) throw new ChainError("inconsistent", `This node lags: it does not have block ${height} yet`);
  endpoints.noteShown(endpoint, header.height);
}
