import { EVM_DIALECT } from "@/lib/chains/endpoints/rpc";
import { ChainError } from "@/lib/chains/endpoints/source";
import { SOLANA_DIALECT } from "@/lib/chains/solana/dialect";
import { TRON_DIALECT } from "@/lib/chains/tron/dialect";
import { getNetwork, type Network } from "@/lib/domain/networks";
import type { Env } from "@/lib/env";
import { bad, type Finding, good } from "@/scripts/installation/finding";

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 8_000_000;
const SLOW_MS = 1_500;
const CLOCK_MS = 30_000;
const RANGE = 1_000;
const DAY_MS = 86_400_000;
const DIALECTS = { evm: EVM_DIALECT, tron: TRON_DIALECT, solana: SOLANA_DIALECT };

type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>;
type Settings = Pick<Env, "rpcUrls" | "rpcHeaders">;

/** What each endpoint answers: its chain, how fast, its block's time against `now`, and on EVM and TRON its logs. */
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
  const about = `${network.name}, ${new URL(url).host}`;
  const dialect = DIALECTS[network.family];
  const call = dialect.callOf(url);
  const options = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, headers, now, kindOfError: dialect.kindOfError };
  const ask: Ask = (method, params) => call(url, { method, params }, options);
  const setting = `${network.id.toUpperCase()}_RPC_URLS`;
  try {
    const since = performance.now();
    const chainId = dialect.identify.read(await ask(dialect.identify.method, dialect.identify.params));
    const tookMs = Math.round(performance.now() - since);
    if (chainId !== network.chainId)
      return [
        bad(about, `it serves chain ${chainId}, and ${network.name} is ${network.chainId}`, `Correct ${setting}.`),
      ];
    const speed =
      tookMs > SLOW_MS
        ? bad(about, `it took ${tookMs} ms for one small call`, `Name a nearer endpoint in ${setting}.`)
        : good(about, `the right chain, ${tookMs} ms`);
    const more =
      network.family === "solana"
        ? [await examineSolana(about, ask, now)]
        : await examineLogs(network, about, ask, now);
    return [speed, ...more];
  } catch (error) {
    return [
      bad(
        about,
        wordsOf(error),
        `Look whether the URL and the key in ${setting} are right and the plan is not used up.`,
      ),
    ];
  }
}

async function examineSolana(about: string, ask: Ask, now: () => Date): Promise<Finding> {
  const slot = Number(await ask("getSlot", [{ commitment: "finalized" }]));
  return examineClock(about, Number(await ask("getBlockTime", [slot])), now);
}

async function examineLogs(network: Network, about: string, ask: Ask, now: () => Date): Promise<Finding[]> {
  const block = (await ask("eth_getBlockByNumber", ["latest", false])) as { number: string; timestamp: string };
  const height = Number(block.number);
  const logs = (from: number, to: number) => {
    const address = network.tokens[0]?.contract;
    const nobody = `0x${"0".repeat(62)}01`;
    return ask("eth_getLogs", [
      {
        fromBlock: hex(from),
        toBlock: hex(to),
        ...(address?.startsWith("0x") && { address }),
        topics: [null, nobody, nobody],
      },
    ]);
  };
  const range = await logs(Math.max(0, height - RANGE + 1), height).then(
    () => good(about, `${RANGE} blocks in one eth_getLogs`),
    (error) =>
      good(about, `fewer than ${RANGE} blocks in one eth_getLogs (${wordsOf(error)}); catching up costs more calls`),
  );
  const old = Math.max(0, height - Math.ceil(DAY_MS / network.blockMs));
  const history = await logs(old, old).then(
    () => good(about, "it shows the logs of a day ago"),
    (error) =>
      bad(
        about,
        `it cannot show the logs of a day ago (${wordsOf(error)})`,
        "After a day's outage payments would be missed; name one that keeps history beside it.",
      ),
  );
  return [examineClock(about, Number(block.timestamp), now), range, history];
}

const hex = (height: number) => `0x${height.toString(16)}`;

/** @param blockTime in Unix seconds */
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
  return good(about, `its newest block fits this machine's clock`);
}

function wordsOf(error: unknown): string {
  return error instanceof ChainError || error instanceof Error ? error.message.slice(0, 200) : String(error);
}
