import { createHash } from "node:crypto";
import * as z from "zod";
import { type RpcMethod, RpcProblem } from "@/sandbox/nodes/json-rpc-answer";
import { FAUCET } from "@/sandbox/solana/accounts/mints";
import { BLOCKHASH_BLOCKS, type Chain } from "@/sandbox/solana/chain";
import type { Manners } from "@/sandbox/solana/rpc/age";
import { API_VERSION, type Config, commitmentOf, configAt, contextSlot, inContext } from "@/sandbox/solana/rpc/params";

/** The genesis hash of mainnet, so that a service configured for mainnet accepts this chain. */
export const GENESIS_HASH = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d";

const SLOTS_PER_EPOCH = 432_000;

/** Returns the methods for the cluster as a whole. */
export function clusterMethods(chain: Chain, manners: Manners): [string, RpcMethod][] {
  const identity = FAUCET.publicKey.toBase58();
  const slotOf = (config: Config) => contextSlot(chain, config);
  return [
    ["getVersion", () => ({ "solana-core": API_VERSION, "feature-set": 1 })],
    ["getHealth", () => "ok"],
    ["getGenesisHash", () => GENESIS_HASH],
    ["getIdentity", () => ({ identity })],
    ["getSlot", (params) => slotOf(configAt(params, 0))],
    ["getBlockHeight", (params) => chain.blocks.height(slotOf(configAt(params, 0)))],
    ["getFirstAvailableBlock", () => 0],
    ["minimumLedgerSlot", () => 0],
    ["getSlotLeader", () => identity],
    ["getEpochInfo", (params) => epochInfo(chain, slotOf(configAt(params, 0)))],
    ["getLatestBlockhash", (params) => latestBlockhash(chain, configAt(params, 0))],
    ["isBlockhashValid", (params) => isBlockhashValid(chain, z.string().parse(params[0]), configAt(params, 1))],
    ["getAgGenesisCert", () => alpenglowCertificate(chain, manners)],
    ["getRecentPrioritizationFees", () => [{ slot: chain.slot("processed"), prioritizationFee: 0 }]],
  ];
}

function epochInfo(chain: Chain, slot: number) {
  return {
    absoluteSlot: slot,
    blockHeight: chain.blocks.height(slot),
    epoch: Math.floor(slot / SLOTS_PER_EPOCH),
    slotIndex: slot % SLOTS_PER_EPOCH,
    slotsInEpoch: SLOTS_PER_EPOCH,
    transactionCount: null,
  };
}

/**
 * Returns the certificate over the block from which Alpenglow applies, or null before the switch. The format is that of
 * https://solana.com/docs/rpc/http/getaggenesiscert.
 * @throws RpcProblem −32601 if the node is older than the call
 */
function alpenglowCertificate({ alpenglowSince: slot, blocks }: Chain, { age }: Manners) {
  if (age.isBefore43) throw new RpcProblem(-32601, "Method not found");
  if (slot === null) return null;
  const bytes = (of: string) => [
    ...createHash("sha512")
      .update(`${of} ${blocks.hash(slot)}`)
      .digest(),
  ];
  const signature = ["a", "b", "c"].flatMap(bytes);
  return { block: { slot, blockId: bytes("block").slice(0, 32) }, signature: { signature, bitmap: [1] } };
}

function latestBlockhash(chain: Chain, config: Config) {
  const slot = contextSlot(chain, config);
  const lastValidBlockHeight = chain.blocks.height(slot) + BLOCKHASH_BLOCKS;
  return inContext(slot, { blockhash: chain.blocks.hash(slot), lastValidBlockHeight });
}

function isBlockhashValid(chain: Chain, hash: string, config: Config) {
  commitmentOf(config);
  return inContext(contextSlot(chain, config), chain.isGoodHash(hash, chain.slot("processed") + 1));
}
