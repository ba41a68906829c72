import { Refusal, type Way } from "@/components/pay/client/wallets/way";

const SEND = "solana:signAndSendTransaction";

interface Account {
  address: string;
  chains: readonly string[];
  features: readonly string[];
}

/**
 * The part of a Wallet Standard wallet that this script uses.
 * @see https://github.com/wallet-standard/wallet-standard
 */
export interface StandardWallet {
  name: string;
  icon: string;
  accounts: readonly Account[];
  features: {
    "standard:connect"?: { connect(): Promise<{ accounts: readonly Account[] }> };
    /** @see https://github.com/anza-xyz/wallet-standard (packages/core/features) */
    [SEND]?: {
      signAndSendTransaction(input: { account: Account; chain: string; transaction: Uint8Array }): Promise<unknown>;
    };
  };
}

/**
 * Returns the wallet requests for Solana, as defined by Wallet Standard. The server builds the transaction, because its blockhash
 * identifies the cluster.
 */
export function solanaWay({ features, accounts: known }: StandardWallet): Way {
  let account: Account | undefined;
  return {
    async connect({ chain }) {
      const { accounts } = (await features["standard:connect"]?.connect()) ?? { accounts: known };
      account = accounts.find((one) => one.chains.includes(chain) && one.features.includes(SEND));
      if (!account) throw new Refusal(accounts.length > 0 ? "network" : "account");
      return account.address;
    },
    async enter() {},
    async isThere({ chain }) {
      return !!account?.chains.includes(chain);
    },
    async send({ chain, transaction }) {
      const way = features[SEND];
      if (!account || !way || !transaction) throw new Refusal("account");
      const bytes = Uint8Array.from(atob(transaction), (character) => character.charCodeAt(0));
      return way.signAndSendTransaction({ account, chain, transaction: bytes });
    },
  };
}
