import pino from "pino";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { readEnv } from "@/lib/config/env";
import { displayAddress, validateAddress } from "@/lib/domain/addresses/address";
import { walletUri } from "@/lib/domain/checkout/payment-uri";
import { findNetwork, getNetwork, getToken, type Network } from "@/lib/domain/networks";
import { createNetworkReader } from "@/lib/watch/network-reader";
import { startTestChain, type TestChain } from "@/testing/chains/evm";
import { seedAddress, TEST_APP_SECRET } from "@/testing/database/seed";
import { TEST_ENV, useTestApi } from "@/testing/web";
import { createNetworkWatcher } from "@/workers/watch-network";

/** The row of a new network, as in the table; nothing else in the code refers to it. */
const { gnosis } = vi.hoisted(() => ({
  gnosis: {
    id: "gnosis",
    aliases: ["xdai"],
    family: "evm",
    chainId: "100",
    name: "Gnosis",
    standard: "ERC20",
    color: { background: "#133629", text: "#ffffff" },
    blockMs: 5_000,
    finality: { by: "depth", depth: 6 },
    pace: { everyMs: 2_000, behindMs: 2_000 },
    explorer: {
      name: "Gnosisscan",
      tx: "https://gnosisscan.io/tx/{}",
      address: "https://gnosisscan.io/address/{}",
      token: "https://gnosisscan.io/token/{}",
    },
    tokens: [{ currency: "USDT", contract: "0x4ECaBa5870353805a9F068101A40E0f32ed605C6", decimals: 6 }],
    lookAlikes: [],
  } satisfies Network,
}));

vi.mock("@/lib/domain/networks", async (original) => {
  const real = await original<typeof import("@/lib/domain/networks")>();
  const isNew = (name: string) => ["gnosis", "xdai"].includes(name.toLowerCase());
  return {
    ...real,
    NETWORKS: [...real.NETWORKS, gnosis],
    findNetwork: (name: string) => (isNew(name) ? gnosis : real.findNetwork(name)),
    getNetwork: (id: string) => (isNew(id) ? gnosis : real.getNetwork(id)),
  };
});

const api = useTestApi({ rpcUrls: new Map([...TEST_ENV.rpcUrls, ["gnosis", ["http://127.0.0.1:1"]]]) });
const RECEIVER = `0x${"ab".repeat(20)}`;
const shown = displayAddress("evm", RECEIVER);
const token = getToken(getNetwork("gnosis"), "USDT");
const { contract } = token;
const log = pino({ level: "silent" });
let chain: TestChain;

beforeAll(async () => {
  chain = await startTestChain(gnosis);
  await chain.mine(20);
});
afterAll(() => chain.stop());

function watch() {
  const network = getNetwork("gnosis");
  const { db } = api.pool;
  const now = () => new Date();
  const reader = createNetworkReader(
    db,
    network,
    { urls: [chain.node.url], now },
    { owner: "one", publicUrl: "https://pay.example.com", log },
  );
  const ctx = { publicUrl: "https://pay.example.com", log };
  return createNetworkWatcher({ db, ctx, reader, network, owner: "one", now, endpoints: () => [] });
}

test("a row in the table and a URL are all that a new EVM network needs: settings, address, order, page, watcher", async () => {
  expect(findNetwork("xDAI")).toBe(gnosis);
  const env = readEnv({
    DATABASE_URL: api.url,
    APP_SECRET: TEST_APP_SECRET,
    PUBLIC_URL: "https://pay.example.com",
    GNOSIS_RPC_URLS: chain.node.url,
  });
  expect(env.rpcUrls.get("gnosis")).toEqual([chain.node.url]);

  const typed = validateAddress(getNetwork("gnosis"), shown);
  expect(typed).toEqual({ address: RECEIVER });
  const seed = { merchantId: api.merchant.id, network: "gnosis", address: RECEIVER };
  await seedAddress(api.pool.db, seed, new Date());
  const order = { currency: "USDT", network: "xdai", amount: 12.5, mch_order_id: "new-1" };
  const { body } = await api.post("/order/add", order);
  expect(body.data).toMatchObject({ network: "gnosis", address: shown, actual_amount: 12.5 });
  const tradeId = String(body.data?.["trade_id"]);

  const shows = async (...texts: string[]) => {
    const page = await (await fetch(`${api.origin}/pay/${tradeId}`)).text();
    return texts.filter((text) => !page.includes(text));
  };
  expect(await shows("Gnosis (ERC20)", shown, `https://gnosisscan.io/token/${contract}`)).toEqual([]);
  const request = { network: getNetwork("gnosis"), token, address: RECEIVER, units: 12_500_000n, label: "shop" };
  expect(walletUri(request)).toBe(`ethereum:${contract}@100/transfer?address=${shown}&uint256=12500000`);

  const watcher = watch();
  await watcher.keepLease();
  await watcher.watch();
  const txId = await chain.pay(contract, RECEIVER, 12_500_000n);
  for (let blocks = 0; blocks < 8; blocks++) {
    await chain.mine();
    await watcher.watch();
  }
  const detail = await api.post("/order/detail", { trade_id: tradeId });
  expect(detail.body.data).toMatchObject({ status: "paid", network: "gnosis" });
  expect(await shows(`https://gnosisscan.io/tx/${txId}`)).toEqual([]);
});
