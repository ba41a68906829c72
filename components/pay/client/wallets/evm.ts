import {
  balanceData,
  codeOf,
  type Provider,
  Refusal,
  transferData,
  type Way,
} from "@/components/pay/client/wallets/way";
import type { WalletRequest } from "@/lib/domain/checkout/wallet-request";

/** The wallet does not know the chain (EIP-3326, as wallets have it). */
const UNKNOWN_CHAIN = 4902;

/** Ethereum and networks like it, by EIP-1193. */
export function evmWay(provider: Provider): Way {
  const call = (method: string, ...params: unknown[]) => provider.request({ method, params });

  const isThere = async ({ chain, block }: WalletRequest) => {
    if (Number(await call("eth_chainId")) !== Number(chain)) return false;
    if (!block) return true;
    const found = await call("eth_getBlockByNumber", `0x${block.height.toString(16)}`, false);
    return String((found as { hash?: string } | null)?.hash).endsWith(block.hash);
  };

  /** @see https://eips.ethereum.org/EIPS/eip-3326 @see https://eips.ethereum.org/EIPS/eip-3085 */
  const goTo = async ({ chain, add }: WalletRequest) => {
    const change = () => call("wallet_switchEthereumChain", { chainId: chain });
    try {
      await change();
    } catch (error) {
      if (codeOf(error) !== UNKNOWN_CHAIN || !add) throw error;
      await call("wallet_addEthereumChain", add);
      await change();
    }
  };

  return {
    async connect() {
      const [account] = (await call("eth_requestAccounts")) as unknown[];
      if (!/^0x[0-9a-f]{40}$/i.test(String(account))) throw new Refusal("account");
      return String(account);
    },
    async enter(request, account) {
      if (Number(await call("eth_chainId")) !== Number(request.chain)) await goTo(request);
      if (!(await isThere(request))) throw new Refusal("network");
      const held = await call("eth_call", { to: request.token, data: balanceData(account) }, "latest").catch(
        () => null,
      );
      if (isLess(held, request.units)) throw new Refusal("funds");
    },
    isThere,
    send: ({ chain, token, recipient, units }, account) =>
      call("eth_sendTransaction", {
        ...{ from: account, to: token, value: "0x0", data: transferData(recipient, units) },
        // Execution APIs, GenericTransaction: a wallet that reads it refuses to sign for another chain.
        chainId: chain,
      }),
  };
}

/** What cannot be read is no reason to refuse: the wallet looks itself. */
function isLess(held: unknown, units: string): boolean {
  return /^0x[0-9a-f]+$/i.test(String(held)) && BigInt(String(held)) < BigInt(units);
}
