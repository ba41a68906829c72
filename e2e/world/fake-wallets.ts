import type { Page } from "@playwright/test";
import { Connection, VersionedTransaction } from "@solana/web3.js";
import { TronWeb } from "tronweb";
import { createPublicClient, http } from "viem";
import type { Announcement } from "@/sandbox/announcement";
import { PAYER } from "@/sandbox/solana/accounts/mints";
import { toBase58Address } from "@/sandbox/tron/network";
import { payerAccount } from "@/sandbox/wallets/payers";

/** A request to one of the page's wallets. */
export interface Asked {
  wallet: string;
  method: string;
  params: readonly unknown[];
}

/** The behavior of a page's wallets, which a test may change as it proceeds. */
export interface FakeWallets {
  asked: Asked[];
  /** The current chain of the EVM wallet. */
  chain: string;
  /** True if the wallet does not switch the network on request. */
  isStubborn: boolean;
  /** True if the wallet's owner rejects signatures. */
  isDeclining: boolean;
  /** True if the EVM wallet returns a transaction id without sending a transaction. */
  isSilent: boolean;
  /** Resolves when the wallet's owner allows the connection. */
  connecting: Promise<void>;
  /** Returns the requests for signatures only. */
  signatures(): Asked[];
}

type Family = "evm" | "tron" | "solana";
type Answer = { value: unknown } | { code: number; message: string };

const ACCOUNT = payerAccount(3);
const SIGNING = ["eth_sendTransaction", "sign", "signAndSendTransaction"];
/** The fees of the sandbox's payers, with enough gas to deploy a contract. */
const FEES = { maxFeePerGas: "0x174876e800", maxPriorityFeePerGas: "0x3b9aca00", gas: "0x1e8480" };

/**
 * Announces wallets of these families to a page before it is opened. They create real signatures and transactions on the sandbox's chains.
 */
export async function announceWallets(
  page: Page,
  sandbox: Announcement,
  network: string,
  ...families: Family[]
): Promise<FakeWallets> {
  const rpcUrl = sandbox.networks[network]?.rpc_url ?? "";
  const wallets: FakeWallets = {
    asked: [],
    chain: "0x1",
    isStubborn: false,
    isDeclining: false,
    isSilent: false,
    connecting: Promise.resolve(),
    signatures: () => wallets.asked.filter(({ method }) => SIGNING.includes(method)),
  };
  const answers = { evm: answerEvm, tron: answerTron, solana: answerSolana };
  await page.exposeFunction(
    "askFakeWallet",
    async (wallet: Family, method: string, params: unknown[]): Promise<Answer> => {
      wallets.asked.push({ wallet, method, params });
      try {
        return { value: await answers[wallet](wallets, rpcUrl, method, params) };
      } catch (error) {
        const { code = -32603, message } = error as { code?: number; message: string };
        return { code, message };
      }
    },
  );
  await page.addInitScript(announce, families);
  return wallets;
}

async function answerEvm(wallets: FakeWallets, rpcUrl: string, method: string, params: unknown[]): Promise<unknown> {
  const node = createPublicClient({ transport: http(rpcUrl) });
  const [first] = params as [Record<string, string>];
  switch (method) {
    case "eth_requestAccounts":
      await wallets.connecting;
      return [ACCOUNT.address.toLowerCase()];
    case "eth_chainId":
      return wallets.chain;
    case "wallet_switchEthereumChain":
      if (!wallets.isStubborn) wallets.chain = first["chainId"] ?? "";
      return null;
    case "eth_sendTransaction":
      if (wallets.isDeclining) throw Object.assign(new Error("User rejected the request."), { code: 4001 });
      if (wallets.isSilent) return `0x${"5e".repeat(32)}`;
      // The local node has the account's key and its current nonce, which parallel tests change.
      return node.request({ method, params: [{ ...first, ...FEES }] } as never);
    default:
      return node.request({ method, params } as never);
  }
}

async function answerTron(_: FakeWallets, rpcUrl: string, method: string, params: unknown[]): Promise<unknown> {
  const privateKey = Buffer.from(ACCOUNT.getHdKey().privateKey ?? []).toString("hex");
  const tronWeb = new TronWeb({ fullHost: rpcUrl.replace(/\/jsonrpc$/, ""), privateKey });
  if (method === "eth_requestAccounts") return [toBase58Address(ACCOUNT.address)];
  const { trx, transactionBuilder } = tronWeb;
  const tools: Record<string, (...given: never[]) => unknown> = {
    getBlockByNumber: trx.getBlockByNumber.bind(trx),
    sign: trx.sign.bind(trx),
    sendRawTransaction: trx.sendRawTransaction.bind(trx),
    triggerSmartContract: transactionBuilder.triggerSmartContract.bind(transactionBuilder),
    triggerConstantContract: transactionBuilder.triggerConstantContract.bind(transactionBuilder),
  };
  return tools[method]?.(...(params as never[]));
}

async function answerSolana(_: FakeWallets, rpcUrl: string, method: string, params: unknown[]): Promise<unknown> {
  if (method === "connect") return PAYER.publicKey.toBase58();
  const [{ transaction }] = params as [{ transaction: number[] }];
  const signed = VersionedTransaction.deserialize(Uint8Array.from(transaction));
  signed.sign([PAYER]);
  await new Connection(rpcUrl, "confirmed").sendRawTransaction(signed.serialize());
  return [...(signed.signatures[0] ?? [])];
}

/** Announces the wallets. Runs in the page, before any other script. */
function announce(families: readonly Family[]): void {
  const ask = async (wallet: string, method: string, params: unknown): Promise<unknown> => {
    const { askFakeWallet } = window as unknown as { askFakeWallet(...given: unknown[]): Promise<Answer> };
    const answer = await askFakeWallet(wallet, method, params ?? []);
    if ("value" in answer) return answer.value;
    throw Object.assign(new Error(answer.message), { code: answer.code });
  };
  const icon =
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Crect width='8' height='8' rx='2' fill='%23e60'/%3E%3C/svg%3E";
  const provider = (wallet: string) => ({
    request: ({ method, params }: { method: string; params?: unknown }) => ask(wallet, method, params),
  });
  const announceBy = (name: string, detail: object) => {
    const notify = () => dispatchEvent(new CustomEvent(`${name}:announceProvider`, { detail: Object.freeze(detail) }));
    addEventListener(`${name}:requestProvider`, notify);
    notify();
  };
  if (families.includes("evm")) {
    announceBy("eip6963", { info: { uuid: "1", name: "Fake EVM wallet", icon, rdns: "a" }, provider: provider("evm") });
    const name = `<img src=x onerror=alert(1)>${"very long ".repeat(9)}`;
    announceBy("eip6963", {
      info: { uuid: "2", name, icon: "https://tracker.example/i.png", rdns: "b" },
      provider: {},
    });
  }
  if (families.includes("tron")) {
    const tool =
      (method: string) =>
      (...params: unknown[]) =>
        ask("tron", method, params);
    const tronWeb = {
      trx: {
        getBlockByNumber: tool("getBlockByNumber"),
        sign: tool("sign"),
        sendRawTransaction: tool("sendRawTransaction"),
      },
      transactionBuilder: {
        triggerSmartContract: tool("triggerSmartContract"),
        triggerConstantContract: tool("triggerConstantContract"),
      },
    };
    const info = { uuid: "3", name: "Fake TRON wallet", icon, rdns: "c" };
    announceBy("TIP6963", { info, provider: { ...provider("tron"), tronWeb } });
  }
  if (families.includes("solana")) {
    const send = "solana:signAndSendTransaction";
    const connect = async () => {
      const address = await ask("solana", "connect", []);
      return { accounts: [{ address, chains: ["solana:mainnet", "solana:localnet"], features: [send] }] };
    };
    const signAndSendTransaction = async ({ chain, transaction }: { chain: string; transaction: Uint8Array }) => {
      const signature = await ask("solana", "signAndSendTransaction", [{ chain, transaction: [...transaction] }]);
      return [{ signature: Uint8Array.from(signature as number[]) }];
    };
    const features = { "standard:connect": { connect }, [send]: { signAndSendTransaction } };
    const wallet = { version: "1.0.0", name: "Fake Solana wallet", icon, chains: [], accounts: [], features };
    const register = (api: { register(one: object): void }) => api.register(wallet);
    addEventListener("wallet-standard:app-ready", (event) => register((event as CustomEvent).detail));
    dispatchEvent(new CustomEvent("wallet-standard:register-wallet", { detail: register }));
  }
}
