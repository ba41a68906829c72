"use client";

import { useLocale, useTranslations } from "next-intl";
import { useContext, useState } from "react";
import { toast } from "sonner";
import { assign, foresee } from "@/app/dashboard/transfers/actions";
import { amountText } from "@/components/dashboard/frame/amount";
import { sayProblems } from "@/components/messages/say-problem";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Form } from "@/components/ui/form/form";
import { FormScope, useForm } from "@/components/ui/form/form-state";
import { ProvePayment } from "@/components/ui/form/prove-again";
import { Notice } from "@/components/ui/notice";
import { type AssignOutcome, outcomeName } from "@/lib/domain/callbacks/assignment";

interface AssignButtonProps {
  transferId: string;
  orderId: string;
  /** The merchant's own number of the order. */
  number: string;
  /** Amounts in words: what arrived, and what the order asks for. */
  arrived: string;
  asked: string;
  /** Why to look twice; null when there is no reason. */
  warning: string | null;
  isLikeliest?: boolean;
}

/** What would happen, as far as it is known; `isChanged`: it is another than a moment ago. */
interface Seen {
  outcome: AssignOutcome | null;
  problem: string | null;
  isChanged: boolean;
}

const NOT_SEEN: Seen = { outcome: null, problem: null, isChanged: false };

/** Gives a transfer to an order, after a look at what will happen. */
export function AssignButton(props: AssignButtonProps) {
  const { transferId, orderId, number, arrived, asked, warning, isLikeliest = false } = props;
  const t = useTranslations("assign");
  const language = useLocale();
  const scope = useContext(FormScope);
  const [isOpen, setOpen] = useState(false);
  const [seen, setSeen] = useState<Seen>(NOT_SEEN);
  const form = useForm(assign, (ok) => {
    if ("changed" in ok) return setSeen({ ...NOT_SEEN, outcome: ok.changed, isChanged: true });
    toast.success(t(ok.status));
    setOpen(false);
  });
  const open = async () => {
    setSeen(NOT_SEEN);
    setOpen(true);
    const asked = new FormData();
    for (const [name, value] of Object.entries({ ...scope, transferId, orderId })) asked.set(name, value);
    const answer = await foresee(asked).catch(() => null);
    if (answer && "ok" in answer) setSeen({ ...NOT_SEEN, outcome: answer.ok });
    else {
      const [refused] = await sayProblems(language, answer?.errors ?? []);
      setSeen({ ...NOT_SEEN, problem: refused?.message ?? t("unforeseen") });
    }
  };
  const { outcome, problem, isChanged } = seen;
  return (
    <>
      <Button size="small" look={isLikeliest ? "primary" : "secondary"} onClick={() => void open()}>
        {t("assign")}
      </Button>
      <Dialog isOpen={isOpen} onOpenChange={setOpen} title={t("title", { number })}>
        <Form form={form}>
          <input type="hidden" name="transferId" value={transferId} />
          <input type="hidden" name="orderId" value={orderId} />
          <Amounts arrived={arrived} asked={asked} />
          {warning ? <Notice tone="warn">{warning}</Notice> : null}
          {isChanged ? (
            <Notice tone="warn" isAlert>
              {t("changed")}
            </Notice>
          ) : null}
          {problem ? (
            <Notice tone="bad" isAlert>
              {problem}
            </Notice>
          ) : null}
          {outcome ? <Outcome outcome={outcome} /> : null}
          {outcome || problem ? null : (
            <p role="status" className="text-ink-soft">
              {t("looking")}
            </p>
          )}
          <input type="hidden" name="expected" value={outcome ? outcomeName(outcome) : ""} />
          <p className="text-ink-soft">{t("forGood")}</p>
          <ProvePayment />
          <DialogActions>
            <Button onClick={() => setOpen(false)}>{t("cancel")}</Button>
            <Button type="submit" look="primary" isBusy={form.isBusy} disabled={outcome === null}>
              {t("assign")}
            </Button>
          </DialogActions>
        </Form>
      </Dialog>
    </>
  );
}

function Amounts({ arrived, asked }: Pick<AssignButtonProps, "arrived" | "asked">) {
  const t = useTranslations("assign");
  return (
    <dl className="grid grid-cols-2 gap-3 tabular-nums">
      <div>
        <dt className="text-ink-soft text-xs">{t("arrived")}</dt>
        <dd className="font-medium">{arrived}</dd>
      </div>
      <div>
        <dt className="text-ink-soft text-xs">{t("asked")}</dt>
        <dd className="font-medium">{asked}</dd>
      </div>
    </dl>
  );
}

/** What becomes of the order, how its sum stands, and who is told. */
function Outcome({ outcome }: { outcome: AssignOutcome }) {
  const t = useTranslations("assign");
  const state = useTranslations("states");
  const { status, exception, network, currency, dueUnits, arrivedUnits, callbacks, laterHost } = outcome;
  const off = arrivedUnits > dueUnits ? arrivedUnits - dueUnits : dueUnits - arrivedUnits;
  const sum = off === 0n ? "full" : arrivedUnits > dueUnits ? "over" : "short";
  const words = [state(`order.${status}`), ...(exception ? [state(`exception.${exception}`)] : [])].join(" · ");
  return (
    <ul className="grid list-disc gap-1 pl-5">
      <li>
        {t("becomes")} <span className="font-medium">{words}</span>
      </li>
      <li>{t(sum, { off: `${amountText(off, network, currency)} ${currency}` })}</li>
      {callbacks.map(({ type, host }) => (
        <li key={type}>{t("callback", { type, host })}</li>
      ))}
      {callbacks.length > 0 ? null : <li>{laterHost ? t("callbackLater", { host: laterHost }) : t("noCallback")}</li>}
    </ul>
  );
}
