/** @jsxImportSource hono/jsx */

import type { Messages } from "@/components/pay/messages/en";
import type { PageContext } from "@/components/pay/page-context";
import { Facts } from "@/components/pay/panels/facts";
import { Icon } from "@/components/pay/parts/icon";
import { Rich } from "@/components/pay/parts/rich";
import { durationText, wording } from "@/components/pay/wording";
import type { Progress } from "@/lib/domain/checkout/facts";
import type { CheckoutView } from "@/lib/domain/checkout/view";

/** Renders the progress of an on-chain payment, which becomes final block by block. */
export function ProgressPanel({ view, page }: { view: CheckoutView; page: PageContext }) {
  const { t } = page;
  const { title, lead } = wording(view, page);
  return (
    <div class="outcome">
      <div class="spinner" aria-hidden="true" />
      <h1>{title}</h1>
      <p class="lead">
        <Rich text={lead} />
      </p>
      <Steps isSeen={view.state === "seen"} t={t} />
      {view.progress && <Confirmations progress={view.progress} t={t} id="confirmations" />}
      <p class="hint">{t.mayClose}</p>
      <Facts view={view} page={page} />
    </div>
  );
}

function Steps({ isSeen, t }: { isSeen: boolean; t: Messages }) {
  return (
    <ol class="steps" aria-label={t.stepsLabel}>
      <li class={isSeen ? "now" : "done"} aria-current={isSeen ? "step" : undefined}>
        {!isSeen && <Icon name="check" />}
        {t.stepSeen}
      </li>
      <li class={isSeen ? undefined : "now"} aria-current={isSeen ? undefined : "step"}>
        {t.stepConfirming}
      </li>
      <li>{t.stepPaid}</li>
    </ol>
  );
}

type Depth = Pick<Progress, "confirmations" | "required" | "secondsLeft">;

/** Renders the confirmations of a transfer, and the remaining time. */
export function Confirmations({ progress, t, id }: { progress: Depth; t: Messages; id: string }) {
  const { confirmations, required, secondsLeft } = progress;
  const label = t.confirmations(confirmations, required);
  return (
    <div class="confirmations">
      <progress max={required} value={confirmations} aria-label={label} />
      <p>
        <span id={id}>{label}</span>
        <span>{durationText(secondsLeft, t)}</span>
      </p>
    </div>
  );
}
