"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useWallets } from "@/components/dashboard/addresses/wallets";
import { connectEvm } from "@/components/pay/client/wallets/evm";
import { connectTron } from "@/components/pay/client/wallets/tron";
import { type Provider, statusOf } from "@/components/pay/client/wallets/way";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { TextAreaField } from "@/components/ui/form/field";

interface ProveKeyProps {
  family: "evm" | "tron";
  /** The message to sign. */
  text: string;
  /** The expiry of the message in Unix milliseconds; sent with the signature. */
  until: number;
  /** The address that must sign, in the form that wallets show. */
  address: string;
  error: string | undefined;
}

interface TronSigner extends Provider {
  tronWeb?: { trx: { signMessageV2(text: string): Promise<string> } } | false;
}

const SHOWN_PROBLEMS = ["rejected", "busy", "account"] as const;

/**
 * Renders an optional proof of ownership: a signature by the first address, from a wallet in this browser or pasted from a different
 * wallet.
 */
export function ProveKey({ family, text, until, address, error }: ProveKeyProps) {
  const t = useTranslations("addresses");
  const wallets = useWallets(family);
  const [signature, setSignature] = useState("");
  const [message, setMessage] = useState("");
  const [isBusy, setBusy] = useState(false);
  const sign = async (provider: Provider) => {
    setBusy(true);
    setMessage(t("signing"));
    try {
      const answer = await SIGN[family](provider, text, address);
      if (answer === null) setMessage(t("signOther", { address }));
      else {
        setSignature(answer);
        setMessage(t("signed"));
      }
    } catch (problem) {
      const status = statusOf(problem);
      setMessage(t(`signWords.${SHOWN_PROBLEMS.find((known) => known === status) ?? "failed"}`));
    }
    setBusy(false);
  };
  return (
    <details className="rounded-lg border border-line px-3 py-2.5" open={error !== undefined || undefined}>
      <summary className="cursor-pointer font-medium">{t("proveTitle")}</summary>
      <div className="mt-3 grid grid-cols-1 justify-items-start gap-3">
        <p className="text-ink-soft">{t("proveHint")}</p>
        <p className="w-full whitespace-pre-wrap rounded-lg border border-line bg-raised p-3 font-mono text-[0.8125rem] [overflow-wrap:anywhere]">
          {text}
        </p>
        <div className="flex max-w-full flex-wrap gap-2">
          {wallets.map(({ id, name, provider }) => (
            <Button key={id} className="max-w-full" isBusy={isBusy} onClick={() => sign(provider)}>
              <span className="truncate">{t("signWith", { wallet: name })}</span>
            </Button>
          ))}
          <CopyButton text={text} what={t("signText")} isWide />
        </div>
        <p role="status" className="text-[0.8125rem] text-ink-soft [overflow-wrap:anywhere]">
          {message}
        </p>
        <div className="w-full">
          <TextAreaField
            label={t("signature")}
            hint={t("signatureHint")}
            name="signature"
            isMono
            rows={3}
            autoComplete="off"
            spellCheck={false}
            value={signature}
            onChange={(event) => setSignature(event.target.value)}
            error={error}
          />
        </div>
        <input type="hidden" name="until" value={String(until)} />
      </div>
    </details>
  );
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/**
 * The functions that sign a message, by chain family. Each returns the signature, or null if the account selected in the wallet is not the
 * required one.
 */
const SIGN = {
  /** @see https://docs.metamask.io/wallet/reference/json-rpc-methods/personal_sign/ */
  async evm(provider: Provider, text: string, address: string): Promise<string | null> {
    const account = await connectEvm(provider);
    if (!isSame(account, address)) return null;
    const hex = [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return String(await provider.request({ method: "personal_sign", params: [`0x${hex}`, account] }));
  },
  /** @see https://tronweb.network/docu/docs/API%20List/trx/signMessageV2 */
  async tron(provider: TronSigner, text: string, address: string): Promise<string | null> {
    const account = await connectTron(provider);
    if (account !== address || !provider.tronWeb) return null;
    return provider.tronWeb.trx.signMessageV2(text);
  },
};
