import * as z from "zod";
import type { Endpoint } from "@/lib/chains/endpoints/endpoint";
import type { Call } from "@/lib/chains/endpoints/endpoint-call";
import type { Endpoints } from "@/lib/chains/endpoints/endpoints";
import { contradiction } from "@/lib/chains/endpoints/heights";
import { type AddressSet, ChainError, type Span } from "@/lib/chains/endpoints/source";
import {
  BlockContent,
  EvmLog,
  EvmReceipt,
  Header,
  logFilter,
  quantity,
  requireFiltered,
  requireInSpan,
  requireShapes,
} from "@/lib/chains/evm/logs";
import type { Network } from "@/lib/domain/networks";

const Logs = z.array(EvmLog);
const Receipts = z.array(EvmReceipt);
const NullableHeader = z.nullable(Header);

export interface FoundLogs {
  logs: EvmLog[];
  /** The name of the endpoint that responded. */
  endpoint: string;
}

/** The endpoint to query (any if omitted), and the endpoints to avoid. */
interface Parties {
  only?: string | undefined;
  without?: ReadonlySet<string>;
  /** The sender of the transfers; any if omitted. Where whole blocks are read, the result includes transfers from other senders. */
  from?: string | undefined;
}

export type LogReader = (span: Span, addresses: AddressSet, parties?: Parties) => Promise<FoundLogs>;

/**
 * Creates a reader of the logs of a span. If no endpoint serves logs of a single block, it reads all receipts of the
 * block instead.
 */
export function createLogReader(network: Network, endpoints: Endpoints): LogReader {
  async function byFilter(span: Span, addresses: AddressSet, given: Parties): Promise<FoundLogs> {
    const { from, ...parties } = given;
    return endpoints.ask({
      ...parties,
      method: "eth_getLogs",
      params: [logFilter(network, span, addresses, from)],
      feature: "blockHash" in span ? "logsByHash" : "logs",
      blocks: "blockHash" in span ? 1 : span.to - span.from + 1,
      before: (call, endpoint) => requireKnown(endpoints, call, endpoint, span),
      parse: (result, endpoint) => {
        const logs = Logs.parse(result);
        requireFiltered(logs, network, addresses);
        return accept(logs, span, endpoint);
      },
    });
  }

  async function byReceipts(span: Span, { from: _, ...parties }: Parties): Promise<FoundLogs> {
    let block: BlockContent | null = null;
    return endpoints.ask({
      ...parties,
      method: "eth_getBlockReceipts",
      params: ["blockHash" in span ? span.blockHash : quantity(span.to)],
      feature: "blockReceipts",
      blocks: 1,
      before: async (call, endpoint) => {
        await requireKnown(endpoints, call, endpoint, span);
        block = await readContent(call, span);
      },
      parse: (result, endpoint) => {
        const receipts = Receipts.parse(result);
        requireWhole(receipts, block);
        requireShapes(
          "eth_getBlockReceipts",
          receipts.flatMap((receipt) => receipt.logs),
          network,
        );
        const succeeded = receipts.filter((receipt) => receipt.status === 1);
        return accept(
          succeeded.flatMap((receipt) => receipt.logs),
          span,
          endpoint,
        );
      },
    });
  }

  return async (span, addresses, parties = {}) => {
    try {
      return await byFilter(span, addresses, parties);
    } catch (error) {
      const isSingle = "blockHash" in span || span.from === span.to;
      if (!isSingle || !(error instanceof ChainError) || !isHopeless(endpoints, error, parties)) throw error;
      return byReceipts(span, parties);
    }
  };
}

function accept(logs: EvmLog[], span: Span, endpoint: Endpoint): FoundLogs {
  requireInSpan(logs, span);
  return { logs, endpoint: endpoint.name };
}

/** Returns true if no endpoint serves logs, or if some do not and the others fail. Endpoints without logs may still serve receipts. */
function isHopeless({ all }: Endpoints, { kind }: ChainError, { only, without }: Parties): boolean {
  if (kind === "refused" || kind === "rangeTooLarge") return true;
  const others = all.filter(({ name }) => (only === undefined || name === only) && without?.has(name) !== true);
  return others.some(({ lacks }) => lacks.has("logs") || lacks.has("logsByHash"));
}

async function readContent(call: Call, span: Span): Promise<BlockContent> {
  const [method, at] =
    "blockHash" in span ? ["eth_getBlockByHash", span.blockHash] : ["eth_getBlockByNumber", quantity(span.to)];
  const result = await call({ method, params: [at, false] });
  const { success, data, error } = BlockContent.safeParse(result);
  if (!success) throw contradiction(method, `a block without a list of its transactions: ${z.prettifyError(error)}`);
  const isAsked = "blockHash" in span ? data.hash === span.blockHash : data.height === span.to;
  if (!isAsked)
    throw contradiction(method, `number ${data.height} and hash ${data.hash} do not match the requested block`);
  return data;
}

/**
 * Throws unless the receipts are complete. A node that has a block, but not its receipts, responds as if the block were empty. There must
 * be one receipt for each transaction in the block's own list, in the same order, and each must refer to that block.
 */
function requireWhole(receipts: readonly EvmReceipt[], block: BlockContent | null): void {
  const ids = block?.txIds ?? [];
  if (receipts.length !== ids.length) {
    const text = `${receipts.length} receipts for ${ids.length} transactions of block ${block?.height}`;
    throw contradiction("eth_getBlockReceipts", text);
  }
  const invalid = receipts.findIndex(
    (one, index) =>
      one.transactionHash !== ids[index] ||
      one.blockHash !== block?.hash ||
      one.blockNumber !== block.height ||
      (one.transactionIndex ?? index) !== index,
  );
  if (invalid >= 0)
    throw contradiction(
      "eth_getBlockReceipts",
      `receipt ${invalid} does not match transaction ${invalid} of block ${block?.height}`,
    );
}

/**
 * Requires an endpoint to return the last block of a span, unless it already did: a node that lags returns no logs for
 * blocks that it does not have.
 */
async function requireKnown(endpoints: Endpoints, call: Call, endpoint: Endpoint, span: Span): Promise<void> {
  const height = "blockHash" in span ? span.height : span.to;
  if (endpoint.height >= height) return;
  const isByHash = "blockHash" in span && endpoints.receiptLag === 0;
  const shown = height + endpoints.receiptLag;
  const method = isByHash ? "eth_getBlockByHash" : "eth_getBlockByNumber";
  const result = await call({ method, params: [isByHash ? span.blockHash : quantity(shown), false] });
  const header = NullableHeader.parse(result);
  if (!header) throw new ChainError("inconsistent", `${method}: this node lags: it does not have block ${height} yet`);
  if (header.height !== shown || (isByHash && header.hash !== span.blockHash))
    throw contradiction(method, `number ${header.height} and hash ${header.hash} do not match the requested block`);
  endpoints.noteShown(endpoint, header.height);
}
