"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useWallets } from "@/components/dashboard/addresses/wallets";
import type { SentCall } from "@/components/dashboard/receivers/call-details";
import { connectEvm, enterChain } from "@/components/pay/client/wallets/evm";
import { type Provider, statusOf } from "@/components/pay/client/wallets/way";
import { Button } from "@/components/ui/button";
import type { WalletChain } from "@/lib/domain/checkout/wallet-request";

const SHOWN_PROBLEMS = ["rejected", "busy", "network", "account", "funds"] as const;

/**
 * Renders the button that sends a transaction with a wallet in this browser (EIP-6963). The wallet requests its owner's approval and pays
 * the gas.
 */
export function SendCall({ call, chain }: { call: SentCall; chain: WalletChain }) {
  const t = useTranslations("receivers");
  const wallets = useWallets("evm");
  const [text, setMessage] = useState("");
  const [isBusy, setBusy] = useState(false);
  const send = async (provider: Provider) => {
    setBusy(true);
    setMessage(t("sending"));
    try {
      const from = await connectEvm(provider);
      await enterChain(provider, chain);
      const params = [{ from, to: call.to, value: "0x0", data: call.data, chainId: chain.chain }];
      await provider.request({ method: "eth_sendTransaction", params });
      setMessage(t("sent"));
    } catch (error) {
      const status = statusOf(error);
      setMessage(t(`words.${SHOWN_PROBLEMS.find((known) => known === status) ?? "failed"}`));
    }
    setBusy(false);
  };
  if (wallets.length === 0) return <p className="text-[0.8125rem] text-ink-soft">{t("noWallet")}</p>;
  return (
    <div className="grid grid-cols-1 justify-items-start gap-2">
      {wallets.map(({ id, name, provider }) => (
        <Button key={id} className="max-w-full" isBusy={isBusy} onClick={() => send(provider)}>
          <span className="truncate">{t("send", { wallet: name })}</span>
        </Button>
      ))}
      <p role="status" className="text-[0.8125rem] text-ink-soft">
        {text}
      </p>
    </div>
  );
}
