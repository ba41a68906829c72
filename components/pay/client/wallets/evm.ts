import {
  balanceData,
  codeOf,
  type Provider,
  Refusal,
  transferData,
  type Way,
} from "@/components/pay/client/wallets/way";
import type { WalletChain } from "@/lib/domain/checkout/wallet-request";

/** The error code for a chain that the wallet does not support (EIP-3326, as wallets implement it). */
const UNKNOWN_CHAIN = 4902;

type Call = (method: string, ...params: unknown[]) => Promise<unknown>;
const callOf =
  (provider: Provider): Call =>
  (method, ...params) =>
    provider.request({ method, params });

async function isOn(call: Call, { chain, block }: WalletChain): Promise<boolean> {
  if (Number(await call("eth_chainId")) !== Number(chain)) return false;
  if (!block) return true;
  const found = await call("eth_getBlockByNumber", `0x${block.height.toString(16)}`, false);
  return String((found as { hash?: string } | null)?.hash).endsWith(block.hash);
}

/**
 * Switches the wallet to a chain, and adds the chain first if the wallet does not support it yet.
 * @see https://eips.ethereum.org/EIPS/eip-3326
 * @see https://eips.ethereum.org/EIPS/eip-3085
 */
async function goTo(call: Call, { chain, add }: WalletChain): Promise<void> {
  const change = () => call("wallet_switchEthereumChain", { chainId: chain });
  try {
    await change();
  } catch (error) {
    if (codeOf(error) !== UNKNOWN_CHAIN || !add) throw error;
    await call("wallet_addEthereumChain", add);
    await change();
  }
}

/**
 * Requests the account of a wallet.
 * @throws Refusal, or the wallet's error
 */
export async function connectEvm(provider: Provider): Promise<string> {
  const [account] = (await callOf(provider)("eth_requestAccounts")) as unknown[];
  if (!/^0x[0-9a-f]{40}$/i.test(String(account))) throw new Refusal("account");
  return String(account);
}

/**
 * Switches a wallet to a chain, and verifies the chain.
 * @throws Refusal, or the wallet's error
 */
export async function enterChain(provider: Provider, request: WalletChain): Promise<void> {
  const call = callOf(provider);
  if (Number(await call("eth_chainId")) !== Number(request.chain)) await goTo(call, request);
  if (!(await isOn(call, request))) throw new Refusal("network");
}

/** Returns the wallet requests for EVM networks, as defined by EIP-1193. */
export function evmWay(provider: Provider): Way {
  const call = callOf(provider);
  return {
    connect: () => connectEvm(provider),
    async enter(request, account) {
      await enterChain(provider, request);
      const held = await call("eth_call", { to: request.token, data: balanceData(account) }, "latest").catch(
        () => null,
      );
      if (isLess(held, request.units)) throw new Refusal("funds");
    },
    isThere: (request) => isOn(call, request),
    send: ({ chain, token, recipient, units }, account) =>
      call("eth_sendTransaction", {
        from: account,
        to: token,
        value: "0x0",
        data: transferData(recipient, units),
        // See GenericTransaction in the Execution APIs: a wallet that supports this field refuses to sign for a different chain.
        chainId: chain,
      }),
  };
}

/** Returns true if a balance is too low. An unreadable balance does not count as too low, because the wallet checks it itself. */
function isLess(held: unknown, units: string): boolean {
  return /^0x[0-9a-f]+$/i.test(String(held)) && BigInt(String(held)) < BigInt(units);
}
