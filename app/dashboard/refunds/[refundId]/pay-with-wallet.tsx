"use client";

import { Wallet } from "lucide-react";
import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useContext, useEffect, useState, useTransition } from "react";
import { beginPayment, dropPayment, notePayment } from "@/app/dashboard/refunds/actions";
import { problemMessages } from "@/components/messages/problem-message";
import { findWallets, walletName } from "@/components/pay/client/wallets/find";
import { sendBy } from "@/components/pay/client/wallets/send";
import { type FoundWallet, Refusal } from "@/components/pay/client/wallets/way";
import { Button } from "@/components/ui/button";
import { Choice } from "@/components/ui/form/field";
import { FormScope } from "@/components/ui/form/form-state";
import { encodeBase58 } from "@/lib/domain/addresses/families";
import type { WalletStatus } from "@/lib/domain/checkout/wallet-request";
import type { Family } from "@/lib/domain/networks";

interface PayWithWalletProps {
  refundId: string;
  family: Family;
  /** The name of the network, and the amount with its currency. */
  network: string;
  payment: string;
  /** The recorded payments that the page shows. */
  mark: string;
  /** True if a payment is recorded, so that another one needs a confirmation. */
  isRecorded: boolean;
}

/** Renders the wallets of this browser that can pay a refund. The wallet requests its owner's approval and pays the fee. */
export function PayWithWallet(props: PayWithWalletProps) {
  const { family, network, payment, isRecorded } = props;
  const t = useTranslations("refundPages");
  const wallets = useWalletsOf(family);
  const [confirmed, setConfirmed] = useState("");
  const isAgain = confirmed === props.mark;
  const { isBusy, text, pay } = usePayment(props, isAgain);
  if (wallets.length === 0) return <p className="text-[0.8125rem] text-ink-soft">{t("wallet.none", { network })}</p>;
  return (
    <div className="grid grid-cols-1 justify-items-start gap-3">
      {isRecorded ? (
        <Choice
          type="checkbox"
          label={t("wallet.again")}
          hint={t("wallet.againHint", { payment })}
          checked={isAgain}
          onChange={(event) => setConfirmed(event.target.checked ? props.mark : "")}
        />
      ) : null}
      {wallets.map(({ id, wallet }) => (
        <Button
          key={id}
          className="max-w-full"
          isBusy={isBusy}
          disabled={isRecorded && !isAgain}
          onClick={() => pay(wallet)}
        >
          <Wallet aria-hidden />
          <span className="truncate">{t("wallet.pay", { wallet: walletName(wallet) })}</span>
        </Button>
      ))}
      <p role="status" className="text-[0.8125rem] text-ink-soft">
        {text}
      </p>
    </div>
  );
}

function useWalletsOf(family: Family): { id: number; wallet: FoundWallet }[] {
  const [wallets, setWallets] = useState<{ id: number; wallet: FoundWallet }[]>([]);
  useEffect(() => {
    setWallets([]);
    return findWallets((found, wallet) => {
      if (found === family) setWallets((known) => [...known, { id: known.length, wallet }]);
    });
  }, [family]);
  return wallets;
}

/** Returns a function that sends the payment with a wallet, and its progress. */
function usePayment({ refundId, mark, network, payment }: PayWithWalletProps, isAgain: boolean) {
  const t = useTranslations("refundPages");
  const language = useLocale();
  const scope = useContext(FormScope);
  const router = useRouter();
  const [text, setText] = useState("");
  const [isBusy, setBusy] = useState(false);
  // The next request needs the recorded payments that the refreshed page shows.
  const [isRefreshing, startRefresh] = useTransition();
  const formOf = (fields: Record<string, string>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...scope, ...fields, refundId })) form.set(name, value);
    return form;
  };
  const notify = (status: WalletStatus) => setText(t(`wallet.status.${status}`, { network, payment }));
  const pay = async ({ way }: FoundWallet) => {
    setBusy(true);
    let askedAt: string | null = null;
    let refusal: string | undefined;
    const read = async (account = "") => {
      const started = await beginPayment(formOf({ mark, isAgain: isAgain ? "yes" : "", account })).catch(() => null);
      if (!started) throw new Refusal("away");
      if ("errors" in started) {
        refusal = (await problemMessages(language, started.errors))[0]?.message;
        throw new Refusal("changed");
      }
      askedAt = started.ok.askedAt;
      return started.ok.request;
    };
    const { status, isAsked, result } = await sendBy(way, { read, isSent: () => false }, notify);
    if (status === "sent") await notePayment(formOf({ txId: txIdOf(result) })).catch(() => null);
    else if (askedAt !== null && (!isAsked || status === "rejected"))
      await dropPayment(formOf({ askedAt })).catch(() => null);
    if (status === "changed" && refusal) setText(refusal);
    else notify(status);
    setBusy(false);
    startRefresh(() => router.refresh());
  };
  return { isBusy: isBusy || isRefreshing, text, pay };
}

/** Returns the transaction id in the response of a wallet; "" if there is none. Solana wallets return the signature as bytes. */
function txIdOf(result: unknown): string {
  if (typeof result === "string") return result;
  const [output] = Array.isArray(result) ? result : [];
  const { signature } = Object(output) as { signature?: unknown };
  if (typeof signature === "string") return signature;
  return signature instanceof Uint8Array ? encodeBase58(signature) : "";
}
