import * as z from "zod";
import { asChainError } from "@/lib/chains/endpoints/endpoint-call";
import { callRpc } from "@/lib/chains/endpoints/rpc";
import { ChainError } from "@/lib/chains/endpoints/source";
import { Header, logFilter } from "@/lib/chains/evm/logs";
import { FAMILIES } from "@/lib/chains/families";
import type { Env } from "@/lib/config/env";
import { getNetwork, type Network } from "@/lib/domain/networks";
import { bad, describeError, type Finding, good } from "@/scripts/installation/finding";

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 8_000_000;
const SLOW_MS = 1_500;
const CLOCK_MS = 30_000;
/**
 * The numbers of blocks per call to try, in this order. Workers read TRON's HTTP API 20 blocks at a time, and some providers' free plans
 * allow 10 blocks.
 */
const RANGES = [1_000, 100, 20, 10, 1] as const;
/** The number of newest blocks that are not requested, because other nodes behind the same URL may not have them yet. */
const SETTLED = 5;
const UNUSED_ADDRESS = new Set([`0x${"0".repeat(38)}01`]);
const Count = z.number().int().nonnegative();
const DAY_MS = 86_400_000;

type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>;
type Settings = Pick<Env, "rpcUrls" | "rpcHeaders">;

/** Checks each endpoint: its chain id, its response time, the age of its newest block, and on EVM and TRON its logs. */
export async function examineEndpoints(env: Settings, now: () => Date): Promise<Finding[]> {
  const each = [...env.rpcUrls].flatMap(([id, urls]) =>
    urls.map((url, at) => examineEndpoint(getNetwork(id), url, env.rpcHeaders.get(id)?.[at], now)),
  );
  return (await Promise.all(each)).flat();
}

async function examineEndpoint(
  network: Network,
  url: string,
  headers: Record<string, string> | undefined,
  now: () => Date,
): Promise<Finding[]> {
  const { protocol } = FAMILIES[network.family];
  const call = protocol.callOf(url);
  const api = network.family !== "tron" ? "" : call === callRpc ? "/jsonrpc" : " (HTTP API)";
  const about = `${network.name}, ${new URL(url).host}${api}`;
  const options = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, headers, now, kindOfError: protocol.kindOfError };
  const ask: Ask = (method, params) =>
    call(url, { method, params }, options).catch((error: unknown) => {
      throw asChainError(error, method);
    });
  const setting = `${network.id.toUpperCase()}_RPC_URLS`;
  try {
    const since = performance.now();
    const chainId = protocol.identify.read(await ask(protocol.identify.method, protocol.identify.params));
    const tookMs = Math.round(performance.now() - since);
    if (chainId !== network.chainId)
      return [
        bad(about, `it serves chain ${chainId}, but ${network.name} is ${network.chainId}`, `Correct ${setting}.`),
      ];
    const speed =
      tookMs > SLOW_MS
        ? bad(about, `a small call took ${tookMs} ms`, `Use a closer endpoint in ${setting}.`)
        : good(about, `correct chain, ${tookMs} ms`);
    const more =
      network.family === "solana"
        ? [await examineSolana(about, ask, now)]
        : await examineLogs(network, about, ask, now);
    return [speed, ...more];
  } catch (error) {
    return [
      bad(
        about,
        describeError(error),
        `Check the URL and the key in ${setting}, and whether the plan's quota is used up.`,
      ),
    ];
  }
}

async function examineSolana(about: string, ask: Ask, now: () => Date): Promise<Finding> {
  const slot = Count.parse(await ask("getSlot", [{ commitment: "finalized" }]));
  return examineClock(about, Count.parse(await ask("getBlockTime", [slot])), now);
}

/** Requests logs with a worker's filter: transfers of the network's tokens to an address that receives none. */
async function examineLogs(network: Network, about: string, ask: Ask, now: () => Date): Promise<Finding[]> {
  const block = Header.parse(await ask("eth_getBlockByNumber", ["latest", false]));
  const newest = Math.max(0, block.height - FAMILIES[network.family].protocol.receiptLag - SETTLED);
  const read = (from: number, to: number) =>
    ask("eth_getLogs", [logFilter(network, { from: Math.max(0, from), to }, UNUSED_ADDRESS)]);
  const old = Math.max(0, block.height - Math.ceil(DAY_MS / network.blockMs));
  const history = await read(old, old).then(
    () => good(about, "it returns logs from a day ago"),
    (error) =>
      bad(
        about,
        `it cannot return logs from a day ago (${describeError(error)})`,
        "After an outage of a day, payments would be missed; add an endpoint that keeps more history.",
      ),
  );
  return [examineClock(about, block.time.getTime() / 1_000, now), await examineRange(about, newest, read), history];
}

/** Finds the maximum number of blocks that one call can read. Smaller ranges require more calls to catch up. */
async function examineRange(
  about: string,
  newest: number,
  read: (from: number, to: number) => Promise<unknown>,
): Promise<Finding> {
  let reason: unknown;
  for (const blocks of RANGES) {
    try {
      await read(newest - blocks + 1, newest);
      const count = Math.min(blocks, newest + 1);
      const costs =
        blocks < RANGES[0] ? `, not ${RANGES[0]} (${describeError(reason)}); catching up takes more calls` : "";
      return good(about, `${count} ${count === 1 ? "block" : "blocks"} in one eth_getLogs${costs}`);
    } catch (error) {
      reason = error;
      if (!(error instanceof ChainError) || error.kind !== "rangeTooLarge") break;
    }
  }
  return bad(
    about,
    `it does not return logs (${describeError(reason)})`,
    "Check whether its plan includes eth_getLogs, or use another endpoint.",
  );
}

/**
 * Compares the time of the newest block with this machine's clock.
 * @param blockTime in Unix seconds
 */
function examineClock(about: string, blockTime: number, now: () => Date): Finding {
  const aheadMs = blockTime * 1_000 - now().getTime();
  if (aheadMs > CLOCK_MS)
    return bad(
      about,
      `its newest block is ${Math.round(aheadMs / 1_000)} s ahead of this machine's clock`,
      "Set the clock: timedatectl set-ntp true",
    );
  if (aheadMs < -20 * CLOCK_MS)
    return bad(
      about,
      `its newest block is ${Math.round(-aheadMs / 1_000)} s old`,
      "Either it lags, or this machine's clock is ahead: compare with the others.",
    );
  return good(about, `its newest block agrees with this machine's clock`);
}
