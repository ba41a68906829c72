import * as z from "zod";
import type { Endpoints } from "@/lib/chains/endpoints/endpoints";
import {
  createSharedReads,
  isSamePayment,
  type Look,
  lookAtHead,
  withOwnTime,
} from "@/lib/chains/endpoints/finality-check";
import type { Opinion } from "@/lib/chains/endpoints/finality-rules";
import { contradiction, requireTime, requireTimeOrder } from "@/lib/chains/endpoints/heights";
import type { KnownTransfer } from "@/lib/chains/endpoints/source";
import { createHeadReader } from "@/lib/chains/evm/head";
import { BlockContent, EvmReceipt, Header, movesOfReceipt, quantity, requireShapes } from "@/lib/chains/evm/logs";
import type { Network } from "@/lib/domain/networks";
import type { Block } from "@/lib/domain/networks/finality";

const NullableReceipt = z.nullable(EvmReceipt);
const NullableContent = z.nullable(BlockContent);
const NullableHeader = z.nullable(Header);

/**
 * Creates a function that reads one EVM endpoint's opinion on a transfer: from its receipt and the header of its block,
 * and if the receipt does not contain it, from the transactions of its block.
 */
export function createEvmLook(network: Network): Look {
  const readHead = lookAtHead((single) => createHeadReader(network, single, single.now));
  const share = createSharedReads<Block>();
  return async (single, transfer, isFinal, isSole): Promise<Opinion> => {
    const { head, isPast } = await readHead(single, isFinal);
    const own = { head, isPast };
    const receipt = await readReceipt(network, single, transfer.txId);
    const found = receipt && movesOfReceipt(receipt).find((one) => isSamePayment(one, transfer));
    if (found) {
      const { blockHash, blockHeight } = found;
      const block = await share(single, `${blockHash} ${blockHeight} ${isSole}`, async () => {
        const header = await readBlockAt(single, blockHash, blockHeight);
        if (isSole) await requireBetweenNeighbours(single, header);
        return header;
      });
      const { height, hash, time } = block;
      if (hash !== transfer.blockHash) return { ...own, kind: "moved", height, hash, time };
      return { ...(await readHead(single, withOwnTime(isFinal, time))), kind: "shows", time };
    }
    if (head && head.height < transfer.blockHeight) return { ...own, kind: "behind" };
    const content = await readContent(single, transfer.blockHeight);
    if (content && isDenied(content, receipt, transfer)) return { ...own, kind: "denies" };
    missingBlock(single, transfer, content !== null);
    return { ...own, kind: "lacks" };
  };
}

/** Reports an endpoint that lacks the block or the receipt; the check continues without it. */
function missingBlock(single: Endpoints, { txId, blockHeight }: KnownTransfer, hasBlock: boolean): void {
  const message = hasBlock
    ? `eth_getTransactionReceipt: the node does not have the receipt of ${txId}, though its block lists it`
    : `eth_getBlockByNumber: the node does not have block ${blockHeight}`;
  single.onError({ endpoint: single.all[0]?.name ?? "", kind: "inconsistent", message });
}

/**
 * Returns true if the block proves that the transfer is not in it. A missing receipt proves nothing if the block lists
 * the transaction: some nodes keep receipts only for a while.
 */
function isDenied({ hash, txIds }: BlockContent, receipt: EvmReceipt | null, { txId }: KnownTransfer): boolean {
  return !txIds.includes(txId) || receipt?.blockHash === hash;
}

async function readReceipt(network: Network, single: Endpoints, txId: string): Promise<EvmReceipt | null> {
  const method = "eth_getTransactionReceipt";
  return single.ask<EvmReceipt | null>({
    method,
    params: [txId],
    mustVerifyChainId: () => true,
    parse: (result) => {
      const found = NullableReceipt.parse(result);
      if (found && found.transactionHash !== txId)
        throw contradiction(method, "transactionHash: the receipt is not the requested one");
      requireShapes(method, found?.logs ?? [], network);
      return found;
    },
  });
}

async function readBlockAt(single: Endpoints, hash: string, height: number): Promise<Block> {
  const method = "eth_getBlockByHash";
  return single.ask({
    method,
    params: [hash, false],
    parse: (result) => {
      const header = z.nullable(Header).parse(result);
      if (header?.hash !== hash || header.height !== height)
        throw contradiction(
          method,
          `blockHash ${hash} and blockNumber ${height}: this node does not have such a block`,
        );
      requireTime(`${method}: timestamp`, header, single.now());
      return header;
    },
  });
}

/**
 * Throws for a block whose time does not lie between the times of the blocks before and after it, as the endpoint
 * itself returns them; several blocks may have the same time. The newest block has no next block.
 * @throws ChainError("inconsistent")
 */
async function requireBetweenNeighbours(single: Endpoints, { height, hash, parentHash, time }: Block): Promise<void> {
  const ask = (method: string, at: string, requireTied: (found: Block) => void) =>
    single.ask<Block | null>({
      method,
      params: [at, false],
      parse: (result) => {
        const found = NullableHeader.parse(result);
        if (found) requireTied(found);
        return found;
      },
    });
  const before = async () => {
    if (height === 0) return;
    const method = "eth_getBlockByHash";
    await ask(method, parentHash, (parent) => {
      if (parent.hash !== parentHash || parent.height !== height - 1)
        throw contradiction(method, `hash ${parent.hash} and number ${parent.height} do not match the parent block`);
      requireTimeOrder(`${method}: timestamp`, parent, { height, time });
    });
  };
  const after = async () => {
    const method = "eth_getBlockByNumber";
    await ask(method, quantity(height + 1), (child) => {
      if (child.parentHash !== hash || child.height !== height + 1)
        throw contradiction(method, `parentHash ${child.parentHash}: block ${child.height} does not follow ${hash}`);
      requireTimeOrder(`${method}: timestamp`, { height, time }, child);
    });
  };
  await Promise.all([before(), after()]);
}

/** Reads a block with full transactions, because some nodes do not return blocks without them. */
async function readContent(single: Endpoints, height: number): Promise<BlockContent | null> {
  const method = "eth_getBlockByNumber";
  return single.ask<BlockContent | null>({
    method,
    params: [quantity(height), true],
    mustVerifyChainId: () => true,
    parse: (result) => {
      const content = NullableContent.parse(result);
      if (content && content.height !== height) throw contradiction(method, `number ${content.height}, not ${height}`);
      return content;
    },
  });
}
