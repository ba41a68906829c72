"use client";

import { useEffect, useState } from "react";
import { walletName } from "@/components/pay/client/wallets/find";
import type { Provider } from "@/components/pay/client/wallets/way";

interface Announced {
  info?: { uuid?: string; name?: string };
  provider: Provider;
}

/** A wallet in this browser. */
export interface BrowserWallet {
  id: string;
  name: string;
  provider: Provider;
}

/** The event prefixes with which wallets of a family announce themselves: EIP-6963, TIP-6963. */
const EVENTS = { evm: "eip6963", tron: "TIP6963" } as const;

/**
 * Returns the wallets of a family that announce themselves. Their names are untrusted: shortened, and never parsed as
 * HTML.
 */
export function useWallets(family: keyof typeof EVENTS): BrowserWallet[] {
  const [wallets, setWallets] = useState<BrowserWallet[]>([]);
  useEffect(() => {
    const add = ({ info, provider }: Announced) => {
      const name = walletName({ name: info?.name ?? "" });
      setWallets((known) =>
        known.some((one) => one.provider === provider)
          ? known
          : [...known, { id: `${known.length} ${info?.uuid}`, name, provider }],
      );
    };
    const listen = (event: Event) => add((event as CustomEvent<Announced>).detail);
    setWallets([]);
    addEventListener(`${EVENTS[family]}:announceProvider`, listen);
    dispatchEvent(new Event(`${EVENTS[family]}:requestProvider`));
    const { tron } = window as { tron?: Provider };
    if (family === "tron" && tron) add({ info: { name: "TRON" }, provider: tron });
    return () => removeEventListener(`${EVENTS[family]}:announceProvider`, listen);
  }, [family]);
  return wallets;
}
