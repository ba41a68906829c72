import { evmWay } from "@/components/pay/client/wallets/evm";
import { type StandardWallet, solanaWay } from "@/components/pay/client/wallets/solana";
import { type TronProvider, tronWay } from "@/components/pay/client/wallets/tron";
import type { FoundWallet, Provider } from "@/components/pay/client/wallets/way";
import type { Family } from "@/lib/domain/networks";

interface Announced<P> {
  info?: { name?: string; icon?: string };
  provider: P;
}

/**
 * Finds the wallets of this browser, also those that announce themselves later. Each wallet is reported once.
 * @param add receives a wallet of a network family
 * @returns a function that stops listening
 */
export function findWallets(add: (family: Family, wallet: FoundWallet) => void): () => void {
  const known = new Set<unknown>();
  let hasTron = false;
  const addOnce = (family: Family, key: unknown, wallet: Partial<FoundWallet> & Pick<FoundWallet, "way">) => {
    if (known.has(key)) return;
    known.add(key);
    hasTron ||= family === "tron";
    add(family, { name: wallet.name ?? "", icon: wallet.icon ?? "", way: wallet.way });
  };
  const addTron = ({ info, provider }: Announced<TronProvider>) =>
    addOnce("tron", provider, { ...info, way: tronWay(provider) });
  const register = (...wallets: StandardWallet[]) => {
    for (const wallet of wallets) {
      const { name, icon, features } = wallet;
      if ("solana:signAndSendTransaction" in features)
        addOnce("solana", wallet, { name, icon, way: solanaWay(wallet) });
    }
    return () => {};
  };
  const end = new AbortController();
  const listen = (type: string, handle: (detail: never) => void) =>
    addEventListener(type, (event) => handle((event as CustomEvent).detail as never), { signal: end.signal });
  listen("eip6963:announceProvider", ({ info, provider }: Announced<Provider>) =>
    addOnce("evm", provider, { ...info, way: evmWay(provider) }),
  );
  listen("TIP6963:announceProvider", addTron);
  listen("wallet-standard:register-wallet", (handle: (api: { register: typeof register }) => void) =>
    handle({ register }),
  );
  dispatchEvent(new Event("eip6963:requestProvider"));
  dispatchEvent(new Event("TIP6963:requestProvider"));
  dispatchEvent(new CustomEvent("wallet-standard:app-ready", { detail: { register } }));
  const { tron } = window as { tron?: TronProvider };
  if (tron && !hasTron) addTron({ info: { name: "TRON" }, provider: tron });
  return () => end.abort();
}

const NAME_LENGTH = 40;

/** Returns the untrusted name of a wallet, shortened. Never parse it as HTML. */
export function walletName({ name }: Pick<FoundWallet, "name">): string {
  return [...name.trim()].slice(0, NAME_LENGTH).join("") || "?";
}
