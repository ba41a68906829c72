import { beforeEach, describe, expect, test } from "vitest";
import { createSolanaSource } from "@/lib/chains/solana/source";
import { getNetwork } from "@/lib/domain/networks";
import { HANDLED, type RpcProxy, startRpcProxy } from "@/testing/chains/evm";
import { ownerNamed } from "@/testing/chains/solana";
import { BY_ACCOUNTS, BY_SLOTS, useSolanaChain, useSolanaLedger } from "@/testing/watch/solana-scanner";

const world = useSolanaChain();
const shop = ownerNamed("shop").publicKey;
let [good, bad]: RpcProxy[] = [];

beforeEach(async () => {
  [good, bad] = await Promise.all([startRpcProxy(world.chain.node.url), startRpcProxy(world.chain.node.url)]);
  return async () => {
    await Promise.all([good?.stop(), bad?.stop()]);
  };
});

/** Makes the bad endpoint return an error for these methods. */
function failWith(methods: string[], code: number, message: string): void {
  if (!bad) return;
  bad.fault = async ({ method }, response, pass) => {
    if (!methods.includes(method)) return pass();
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message } }));
    return HANDLED;
  };
}

describe.each([
  { name: "by accounts", maxAccounts: BY_ACCOUNTS },
  { name: "by slots", maxAccounts: BY_SLOTS },
])("read $name, with one endpoint that", ({ maxAccounts }) => {
  const { state, sourceOf, catchUp, ledger } = useSolanaLedger(world, maxAccounts);

  test.each([
    { name: "lost its past", code: -32001, message: "Block 41 cleaned up, does not exist on node" },
    { name: "lags", code: -32004, message: "Block not available for slot 41" },
    { name: "is not up to it", code: -32005, message: "Node is behind by 42 slots" },
    { name: "has no status yet", code: -32014, message: "Block status not yet available for slot" },
    { name: "has not seen the head", code: -32016, message: "Minimum context slot has not been reached" },
    { name: "calls every slot skipped", code: -32009, message: "Slot 41 was skipped, or missing in long-term storage" },
    { name: "calls a slot lost", code: -32007, message: "Slot 41 was skipped, or missing due to ledger jump" },
  ])("$name, another one is used", async ({ code, message }) => {
    await catchUp();
    failWith(["getBlock", "getSignaturesForAddress", "getTransaction"], code, message);
    state.source = sourceOf(bad?.url ?? "", good?.url ?? "");
    const txId = await world.chain.pay([{ to: shop, currency: "USDC", baseUnits: 5n }]);
    await world.chain.advance(3);
    for (let tries = 0; tries < 20 && (await ledger()).length === 0; tries++) await catchUp().catch(() => []);
    expect(await ledger()).toMatchObject([{ txId }]);
  });
});

describe("read by slots", () => {
  const { state, sourceOf, catchUp, ledger, cursor } = useSolanaLedger(world, BY_SLOTS);

  test("a block that the only endpoint hides behind a skipped slot is never passed over", async () => {
    await catchUp();
    const txId = await world.chain.pay([{ to: shop, currency: "USDC", baseUnits: 5n }]);
    await world.chain.advance(3);
    const slot = (await world.chain.slot()) - 2;
    if (bad) {
      bad.fault = async ({ method, params }, response, pass) => {
        if (method !== "getBlock" || params[0] !== slot) return pass();
        response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32007, message: "skipped" } }));
        return HANDLED;
      };
    }
    state.source = sourceOf(bad?.url ?? "");
    await expect(catchUp()).rejects.toThrow(/skipped/);
    expect((await cursor())?.height).toBeLessThan(slot);
    state.source = sourceOf(bad?.url ?? "", good?.url ?? "");
    await catchUp();
    expect(await ledger()).toMatchObject([{ txId, blockHeight: slot }]);
  });
});

describe("a transfer's finality", () => {
  const { state, sourceOf, catchUp, ledger } = useSolanaLedger(world, BY_ACCOUNTS);

  async function paid() {
    await catchUp();
    await world.chain.pay([{ to: shop, currency: "USDC", baseUnits: 5n }]);
    await world.chain.advance(40);
    await catchUp();
    const [row] = await ledger();
    if (!row) throw new Error("no transfer");
    return { ...row, to: row.toAddress };
  }

  test("is final as it is, moved where its block has another hash, gone where it moved another amount", async () => {
    const transfer = await paid();
    expect(await state.source.checkFinality(transfer)).toEqual({ kind: "final" });
    const other = await state.source.block(transfer.blockHeight - 1);
    const elsewhere = { ...transfer, blockHash: other?.hash ?? "" };
    expect(await state.source.checkFinality(elsewhere)).toMatchObject({ kind: "moved", hash: transfer.blockHash });
    expect(await state.source.checkFinality({ ...transfer, baseUnits: 6n })).toEqual({ kind: "gone" });
  });

  test("is unclear, not gone, as long as the block of its slot names it", async () => {
    const transfer = await paid();
    if (good) good.fault = async ({ method }, _response, pass) => (method === "getTransaction" ? null : pass());
    expect(await sourceOf(good?.url ?? "").checkFinality(transfer)).toEqual({ kind: "unclear" });
  });

  test("is unclear where a node calls its slot skipped and no later block proves it", async () => {
    const transfer = await paid();
    failWith(["getBlock"], -32009, "Slot was skipped, or missing in long-term storage");
    const fault = bad?.fault;
    if (bad && fault)
      bad.fault = async (call, response, pass) =>
        call.method === "getTransaction" ? null : fault(call, response, pass);
    expect(await sourceOf(bad?.url ?? "").checkFinality(transfer)).toEqual({ kind: "unclear" });
  });

  test("is settled by as many endpoints as the quorum demands", async () => {
    const transfer = await paid();
    const urls = [good?.url ?? "", bad?.url ?? ""];
    const agreed = () => createSolanaSource(getNetwork("solana"), { urls, now: () => new Date(), quorum: 2 });
    expect(await agreed().checkFinality(transfer)).toEqual({ kind: "final" });
    if (bad) bad.fault = async ({ method }, _response, pass) => (method === "getTransaction" ? null : pass());
    expect(await agreed().checkFinality(transfer)).toEqual({ kind: "unclear" });
  });
});
