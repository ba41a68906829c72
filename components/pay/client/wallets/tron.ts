import { type Provider, Refusal, type Way } from "@/components/pay/client/wallets/way";
import { TRON_FEE_LIMIT } from "@/lib/domain/checkout/tron-fee";
import type { WalletRequest } from "@/lib/domain/checkout/wallet-request";

/**
 * The part of a wallet's own tronWeb that this script uses.
 * @see https://tronweb.network/docu/docs/intro
 */
interface TronWeb {
  transactionBuilder: {
    triggerSmartContract(...call: unknown[]): Promise<{ transaction?: unknown }>;
    triggerConstantContract(...call: unknown[]): Promise<{ constant_result?: string[] }>;
  };
  trx: {
    getBlockByNumber(height: number): Promise<{ blockID?: string }>;
    sign(transaction: unknown): Promise<{ txID?: string }>;
    sendRawTransaction(signed: unknown): Promise<{ result?: boolean; code?: string; message?: string }>;
  };
}

/** TIP-1193. */
export interface TronProvider extends Provider {
  tronWeb?: TronWeb | false;
}

/**
 * Requests the account of a wallet.
 * @throws Refusal, or the wallet's error
 * @see https://github.com/tronprotocol/tips/blob/master/tip-1102.md
 */
export async function connectTron(provider: Provider): Promise<string> {
  const [account] = (await provider.request({ method: "eth_requestAccounts" })) as unknown[];
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(String(account))) throw new Refusal("account");
  return String(account);
}

/**
 * Returns the wallet requests for TRON, which use the wallet's own tronWeb. It sends requests to the node that is configured in the
 * wallet.
 */
export function tronWay(provider: TronProvider): Way {
  const tools = () => {
    if (!provider.tronWeb) throw new Refusal("account");
    return provider.tronWeb;
  };

  /** Returns true if the wallet is on the order's chain. The wallet's node is queried, because TIP-1193 has no request for the chain. */
  const isThere = async ({ block }: WalletRequest) => {
    const found = block && (await tools().trx.getBlockByNumber(block.height));
    return !!found && String(found.blockID).endsWith(block.hash);
  };

  return {
    connect: () => connectTron(provider),
    /** @see https://github.com/tronprotocol/tips/blob/master/tip-3326.md */
    async enter(request, account) {
      if (!(await isThere(request))) {
        const params = [{ chainId: request.chain }];
        await provider.request({ method: "wallet_switchEthereumChain", params });
        if (!(await isThere(request))) throw new Refusal("network");
      }
      const parameters = [{ type: "address", value: account }];
      const { constant_result: [held] = [] } = await tools()
        .transactionBuilder.triggerConstantContract(request.token, "balanceOf(address)", {}, parameters, account)
        .catch(() => ({ constant_result: [] }));
      if (held && BigInt(`0x${held}`) < BigInt(request.units)) throw new Refusal("funds");
    },
    isThere,
    async send({ token, recipient, units }, account) {
      const { transactionBuilder, trx } = tools();
      const parameters = [
        { type: "address", value: recipient },
        { type: "uint256", value: units },
      ];
      const options = { feeLimit: TRON_FEE_LIMIT, callValue: 0 };
      const name = "transfer(address,uint256)";
      const { transaction } = await transactionBuilder.triggerSmartContract(token, name, options, parameters, account);
      const signed = await trx.sign(transaction);
      const { result, code, message } = await trx.sendRawTransaction(signed);
      if (!result) throw new Error(code === "BANDWITH_ERROR" ? "insufficient bandwidth" : `${code} ${message}`);
      return signed.txID;
    },
  };
}
