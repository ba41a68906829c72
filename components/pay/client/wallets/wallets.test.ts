import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { encodeFunctionData, erc20Abi, type Hex } from "viem";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { SCRIPT, WALLET_FILE, WALLET_INTEGRITY, WALLET_SCRIPT } from "@/components/pay/assets";
import { evmWay } from "@/components/pay/client/wallets/evm";
import { payBy } from "@/components/pay/client/wallets/pay";
import { type StandardWallet, solanaWay } from "@/components/pay/client/wallets/solana";
import { tronWay } from "@/components/pay/client/wallets/tron";
import { balanceData, statusOf, transferData, type Way } from "@/components/pay/client/wallets/way";
import type { WalletRequest, WalletStatus } from "@/lib/domain/checkout/wallet-request";

const account = `0x${"ab".repeat(20)}`;
const evm: WalletRequest = {
  family: "evm",
  chain: "0x38",
  block: null,
  add: null,
  transaction: null,
  problem: null,
  token: "0x55d398326f99059fF775485246999027B3197955",
  recipient: "0x52908400098527886E0F7030069857D2E4169EE7",
  units: "10000100000000000000",
};

test("the assets that load on demand are small, and named and pinned by their content", () => {
  expect(gzipSync(WALLET_SCRIPT).length).toBeLessThanOrEqual(6 * 1_024);
  expect(SCRIPT).toContain(`/pay/assets/${WALLET_FILE}`);
  expect(SCRIPT).toContain(WALLET_INTEGRITY);
});

describe("calldata", () => {
  const address = fc
    .uint8Array({ minLength: 20, maxLength: 20 })
    .map((bytes) => `0x${Buffer.from(bytes).toString("hex")}` as Hex);
  test("equals viem's encoding, for every recipient and amount", () => {
    const units = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
    const is = (to: Hex, value: bigint) => {
      const args = [to, value] as const;
      expect(transferData(to, String(value))).toBe(
        encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args }),
      );
      expect(balanceData(to)).toBe(encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [to] }));
    };
    fc.assert(fc.property(address, units, is));
  });
});

/** Returns a fake wallet with a response for each method. It throws a response that is an error, and records its requests. */
function fakeProvider(answers: Record<string, unknown>) {
  const asked: { method: string; params?: unknown }[] = [];
  const request = async (args: { method: string; params?: unknown }) => {
    asked.push(args);
    const answer = answers[args.method];
    const value = Array.isArray(answer) && args.method !== "eth_requestAccounts" ? answer.shift() : answer;
    if (value instanceof Error) throw value;
    return value ?? null;
  };
  return { request, asked, methods: () => asked.map(({ method }) => method) };
}
const failure = (code: number, message = "no") => Object.assign(new Error(message), { code });

describe("EVM", () => {
  test("the wallet is switched, and looked at again: one that stayed where it was is refused", async () => {
    const wallet = fakeProvider({ eth_chainId: "0x1" });
    await expect(evmWay(wallet).enter(evm, account)).rejects.toMatchObject({ status: "network" });
    expect(wallet.asked).toContainEqual({ method: "wallet_switchEthereumChain", params: [{ chainId: "0x38" }] });
    expect(wallet.methods()).not.toContain("eth_sendTransaction");
  });

  test("a chain that the wallet does not know is added if its facts are known, else reported", async () => {
    const add = { chainId: "0x38", chainName: "B", nativeCurrency: { name: "BNB", symbol: "BNB", decimals: 18 } };
    const facts = { ...add, rpcUrls: ["https://a.example"], blockExplorerUrls: ["https://b.example"] };
    const unknown = failure(-32603);
    Object.assign(unknown, { data: { originalError: { code: 4902 } } });
    const wallet = fakeProvider({ eth_chainId: ["0x1", "0x38"], wallet_switchEthereumChain: [unknown, null] });
    await evmWay(wallet).enter({ ...evm, add: facts }, account);
    expect(wallet.asked).toContainEqual({ method: "wallet_addEthereumChain", params: [facts] });
    const lost = fakeProvider({ eth_chainId: "0x1", wallet_switchEthereumChain: [failure(4902)] });
    expect(await evmWay(lost).enter(evm, account).catch(statusOf)).toBe("network");
  });

  test("a local chain with the id of a real one is distinguished by a block", async () => {
    const local = { ...evm, block: { height: 16, hash: "beef" } };
    const real = fakeProvider({ eth_chainId: "0x38", eth_getBlockByNumber: { hash: "0xdead" } });
    expect(await evmWay(real).isThere(local)).toBe(false);
    expect(real.asked.at(-1)).toEqual({ method: "eth_getBlockByNumber", params: ["0x10", false] });
    const own = fakeProvider({ eth_chainId: "0x38", eth_getBlockByNumber: { hash: "0x00beef" } });
    expect(await evmWay(own).isThere(local)).toBe(true);
  });

  test("an insufficient balance is reported before the wallet is asked; if it cannot be read, the wallet decides", async () => {
    const poor = fakeProvider({ eth_chainId: "0x38", eth_call: `0x${(10n ** 18n).toString(16)}` });
    await expect(evmWay(poor).enter(evm, account)).rejects.toMatchObject({ status: "funds" });
    await evmWay(fakeProvider({ eth_chainId: "0x38", eth_call: failure(-32000) })).enter(evm, account);
  });

  test("a wallet is asked as the object that it is", async () => {
    class Own {
      readonly #accounts = [account];
      async request() {
        return this.#accounts;
      }
    }
    expect(await evmWay(new Own()).connect(evm)).toBe(account);
  });

  test("an account of another kind is refused", async () => {
    const wallet = fakeProvider({ eth_requestAccounts: ["TQKLs3GzCNLjzyCvaPWSrqcpUGUhadxm7P"] });
    await expect(evmWay(wallet).connect(evm)).rejects.toMatchObject({ status: "account" });
  });
});

test("TRON: a wallet on another network is asked to switch, and refused when it did not", async () => {
  const tron: WalletRequest = { ...evm, family: "tron", chain: "0x2b6653dc", block: { height: 0, hash: "2b6653dc" } };
  const wallet = fakeProvider({});
  const trx = { getBlockByNumber: async () => ({ blockID: `00${"cd8690dc"}` }) };
  const way = tronWay({ ...wallet, tronWeb: { trx, transactionBuilder: {} } as never });
  await expect(way.enter(tron, "T")).rejects.toMatchObject({ status: "network" });
  expect(wallet.asked).toEqual([{ method: "wallet_switchEthereumChain", params: [{ chainId: "0x2b6653dc" }] }]);
  await expect(tronWay({ ...wallet, tronWeb: false }).isThere(tron)).rejects.toMatchObject({ status: "account" });
});

test("Solana: only an account of the order's cluster that can send is asked", async () => {
  const send = "solana:signAndSendTransaction";
  const signAndSendTransaction = vi.fn(async () => []);
  const account = (chain: string, features = [send]) => ({ address: "A", chains: [chain], features });
  const wallet = (...accounts: StandardWallet["accounts"]) =>
    solanaWay({ name: "", icon: "", accounts, features: { [send]: { signAndSendTransaction } } });
  const request = { ...evm, chain: "solana:mainnet", transaction: "AQID" };
  await expect(wallet(account("solana:devnet")).connect(request)).rejects.toMatchObject({ status: "network" });
  await expect(wallet().connect(request)).rejects.toMatchObject({ status: "account" });
  await expect(wallet(account("solana:mainnet", [])).connect(request)).rejects.toMatchObject({ status: "network" });
  const way = wallet(account("solana:mainnet"));
  expect(await way.connect(request)).toBe("A");
  await way.send(request, "A");
  const input = { account: account("solana:mainnet"), chain: "solana:mainnet", transaction: Uint8Array.of(1, 2, 3) };
  expect(signAndSendTransaction).toHaveBeenCalledExactlyOnceWith(input);
});

test.each<[unknown, WalletStatus]>([
  [failure(4001), "rejected"],
  [new Error("User rejected the request."), "rejected"],
  ["Confirmation declined by user", "rejected"],
  [failure(-32002), "busy"],
  [failure(-32603, "insufficient funds for gas * price + value"), "funds"],
  [{ code: -32603, data: { originalError: { code: 4001 } } }, "rejected"],
  [failure(-32000, "nonce too low"), "failed"],
  [undefined, "failed"],
])("%s is reported as %s", (error, status) => {
  expect(statusOf(error)).toBe(status);
});

describe("right before the signature", () => {
  const shown = { offer: "offer-1", version: 3 };
  const right = { offer: "offer-1", version: 3, request: evm };
  const answers: object[] = [];
  const kept = new Map<string, string>();
  const send = vi.fn(async () => "0x1");
  const way: Way = { connect: async () => account, enter: async () => {}, isThere: async () => true, send };
  const pay = (changes: Partial<Way> = {}, notify = vi.fn()) => payBy({ ...way, ...changes }, shown, notify);

  beforeEach(() => {
    answers.length = 0;
    kept.clear();
    send.mockClear();
    vi.stubGlobal("location", { pathname: `/pay/${crypto.randomUUID()}` });
    vi.stubGlobal("document", { documentElement: { lang: "en" } });
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
    });
    vi.stubGlobal("fetch", async () => {
      const answer = answers.shift();
      if (!answer) throw new Error("offline");
      return Response.json(answer);
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  test.each([
    ["was paid meanwhile", { ...right, request: null }],
    ["asks for something else", { ...right, offer: "offer-2" }],
    ["changed in any way", { ...right, version: 4 }],
  ])("an order that %s is not signed for", async (_, second) => {
    answers.push(right, second);
    expect(await pay()).toBe("changed");
    expect(send).not.toHaveBeenCalled();
  });

  test("a wallet that left the chain meanwhile, a lost connection, and a late blockhash are not signed for", async () => {
    answers.push(right, right);
    expect(await pay({ isThere: async () => false })).toBe("network");
    answers.push(right);
    expect(await pay()).toBe("away");
    answers.push(right, { ...right, request: { ...evm, problem: "stale" } });
    expect(await pay()).toBe("away");
    expect(send).not.toHaveBeenCalled();
  });

  test("a payment that was sent is not requested again, in this tab or another", async () => {
    answers.push(right, right);
    const notify = vi.fn();
    expect(await pay({}, notify)).toBe("sent");
    expect(notify.mock.calls).toEqual([["connect"], ["confirm"]]);
    expect(send).toHaveBeenCalledExactlyOnceWith(evm, account);
    expect(await pay()).toBe("again");
    expect([...kept.values()]).toHaveLength(1);
    expect(send).toHaveBeenCalledTimes(1);
  });

  test("two tabs do not ask concurrently", async () => {
    answers.push(right, right);
    let other: Promise<WalletStatus> | undefined;
    const enter = async () => {
      other = pay();
      await other;
    };
    expect(await pay({ enter })).toBe("sent");
    expect(await other).toBe("busy");
    expect(send).toHaveBeenCalledTimes(1);
  });

  test("a problem before the wallet was asked to send is reported as nothing sent; a later one is not", async () => {
    answers.push(right);
    expect(await pay({ connect: () => Promise.reject(new Error("odd")) })).toBe("unready");
    answers.push(right, right);
    expect(await pay({ send: () => Promise.reject(new Error("odd")) })).toBe("failed");
    expect(kept.size).toBe(0);
  });
});
