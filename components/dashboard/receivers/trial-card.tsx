import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { CallDetails, type SentCall } from "@/components/dashboard/receivers/call-details";
import { Badge, type Tone } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { Identifier } from "@/components/ui/identifier";
import type { TrialState, TrialTransfer } from "@/lib/domain/addresses/trial";
import { formatUnits } from "@/lib/domain/money";
import { getNetwork } from "@/lib/domain/networks";
import { tokenOf } from "@/lib/domain/transfers/transfer";

const TONES: Readonly<Record<TrialState | "never", Tone>> = {
  never: "neutral",
  asked: "info",
  missing: "warn",
  waiting: "info",
  arrived: "warn",
  swept: "info",
  tried: "good",
  forgotten: "neutral",
};

interface TrialCardProps {
  network: string;
  state: TrialState | "never";
  arrival: TrialTransfer | null;
  sweep: TrialTransfer | null;
  /** The call to send now; null if there is none. */
  call: SentCall | null;
  /** The action that starts the trial, or sends the call. */
  action: ReactNode;
}

/** Renders the progress of the trial of receivers on a network, and the next step. */
export function TrialCard({ network: id, state, arrival, sweep, call, action }: TrialCardProps) {
  const t = useTranslations("receivers");
  const network = getNetwork(id);
  const amount = arrival ? amountOf(id, arrival) : "";
  const { currency = "USDT" } = network.tokens[0] ?? {};
  return (
    <Card
      title={network.name}
      action={
        <Badge tone={TONES[state]} hasDot>
          {t(`states.${state}`)}
        </Badge>
      }
    >
      <div className="grid grid-cols-1 gap-3" data-trial={id} data-state={state}>
        <p className="text-ink-soft" aria-live="polite">
          {t(`steps.${state}`, { amount, currency })}
        </p>
        {arrival ? <Shown what={t("arrivedBy")} network={id} txId={arrival.txId} /> : null}
        {sweep ? <Shown what={t("sweptBy")} network={id} txId={sweep.txId} /> : null}
        {action}
        {call ? <CallDetails call={call} /> : null}
      </div>
    </Card>
  );
}

function Shown({ what, network, txId }: { what: string; network: string; txId: string }) {
  const t = useTranslations("receivers");
  const href = getNetwork(network).explorer.tx.replace("{}", txId);
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-[0.8125rem]">
      <span className="text-ink-soft">{what}</span>
      <Identifier text={txId} what={t("transaction")} isShort href={href} />
    </p>
  );
}

function amountOf(network: string, { token, baseUnits }: TrialTransfer): string {
  const known = tokenOf({ network, token, currency: null });
  return `${formatUnits(BigInt(baseUnits), known.decimals)} ${known.currency}`;
}
