import { encodeFunctionData, toHex } from "viem";
import * as z from "zod";
import { parseUnits } from "@/lib/domain/money";
import { getNetwork, getToken } from "@/lib/domain/networks";
import type { EvmNode } from "@/sandbox/nodes/evm-node";
import { TEST_TOKEN_ABI } from "@/sandbox/token/install";

export const NETWORK = getNetwork("ethereum");
const TOKEN = getToken(NETWORK, "USDT");
const ASK_AGAIN_MS = 250;
const PATIENCE_MS = 30_000;

const Answer = z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() });
const Created = z.object({ trade_id: z.string(), actual_amount: z.number(), address: z.string() });

/** An order that the service acknowledged. */
export interface Acknowledged {
  number: number;
  tradeId: string;
  address: string;
  baseUnits: bigint;
}

export interface Shopper {
  /** Requests the same order until it is acknowledged, as a shop does. */
  buy(number: number): Promise<Acknowledged>;
  /** Sends one transfer of the order's amount. */
  pay(order: Acknowledged): Promise<void>;
  /** The number of requests that were not acknowledged, by the kind of response or failure. */
  readonly refused: Record<string, number>;
}

/** Creates a merchant's server and its customers. */
export async function createShopper(
  shop: { origin: string; apiKey: string; notifyUrl: string },
  node: EvmNode,
): Promise<Shopper> {
  const [from] = z.array(z.string()).parse(await node.call("eth_accounts"));
  // The nonce is explicit, because concurrent transactions would otherwise get the same one.
  let nonce = Number(await node.call("eth_getTransactionCount", [from, "latest"]));
  const refused: Record<string, number> = {};
  return {
    refused,
    async buy(number) {
      for (;;) {
        const answer = await ask(shop, number);
        if ("tradeId" in answer) return answer;
        refused[answer.why] = (refused[answer.why] ?? 0) + 1;
        await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
      }
    },
    async pay({ address, baseUnits }) {
      const args = [address as `0x${string}`, baseUnits] as const;
      const data = encodeFunctionData({ abi: TEST_TOKEN_ABI, functionName: "mint", args });
      await node.call("eth_sendTransaction", [
        { from, to: TOKEN.contract, gas: "0x186a0", nonce: toHex(nonce++), data },
      ]);
    },
  };
}

async function ask(
  { origin, apiKey, notifyUrl }: { origin: string; apiKey: string; notifyUrl: string },
  number: number,
): Promise<Acknowledged | { why: string }> {
  const body = {
    mch_order_id: `order-${number}`,
    amount: Number((10 + number / 100).toFixed(2)),
    network: NETWORK.id,
    currency: "USDT",
    notify_url: notifyUrl,
  };
  // The connection was cut off, or the response took longer than a shop waits. No order was acknowledged.
  const answer = await post(`${origin}/api/v1/pay/sdk/order/add`, apiKey, body).catch((error: Error) => error.name);
  if (typeof answer === "string") return { why: answer };
  const { code, message, data } = Answer.parse(answer.body);
  if (answer.status === 400) throw new Error(`order-${number}: ${message}`);
  if (answer.status !== 200) return { why: `${answer.status} ${code} ${message}` };
  const order = Created.parse(data);
  const baseUnits = parseUnits(String(order.actual_amount), TOKEN.decimals) ?? 0n;
  return { number, tradeId: order.trade_id, address: order.address, baseUnits };
}

async function post(url: string, apiKey: string, body: object): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": apiKey },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  return { status: answer.status, body: await answer.json() };
}
