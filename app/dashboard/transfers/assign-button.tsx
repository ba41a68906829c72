"use client";

import { useLocale, useTranslations } from "next-intl";
import { useContext, useState } from "react";
import { toast } from "sonner";
import { assign, foresee } from "@/app/dashboard/transfers/actions";
import { amountText } from "@/components/dashboard/frame/amount";
import { problemMessages } from "@/components/messages/problem-message";
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
  /** The merchant's own order number. */
  number: string;
  /** The formatted amounts: received, and requested by the order. */
  arrived: string;
  asked: string;
  /** A reason to check the assignment again; null when there is none. */
  warning: string | null;
  isLikeliest?: boolean;
}

/** The expected result of the assignment. `isChanged` is true if it differs from the previously shown result. */
interface PreviewState {
  outcome: AssignOutcome | null;
  problem: string | null;
  isChanged: boolean;
}

const NO_PREVIEW: PreviewState = { outcome: null, problem: null, isChanged: false };

/** Renders the button that assigns a transfer to an order after showing the result. */
export function AssignButton(props: AssignButtonProps) {
  const { transferId, orderId, number, arrived, asked, warning, isLikeliest = false } = props;
  const t = useTranslations("assign");
  const language = useLocale();
  const scope = useContext(FormScope);
  const [isOpen, setOpen] = useState(false);
  const [preview, setPreview] = useState<PreviewState>(NO_PREVIEW);
  const form = useForm(assign, (ok) => {
    if ("changed" in ok) return setPreview({ ...NO_PREVIEW, outcome: ok.changed, isChanged: true });
    toast.success(t(ok.status));
    setOpen(false);
  });
  const open = async () => {
    setPreview(NO_PREVIEW);
    setOpen(true);
    const asked = new FormData();
    for (const [name, value] of Object.entries({ ...scope, transferId, orderId })) asked.set(name, value);
    const answer = await foresee(asked).catch(() => null);
    if (answer && "ok" in answer) setPreview({ ...NO_PREVIEW, outcome: answer.ok });
    else {
      const [refused] = await problemMessages(language, answer?.errors ?? []);
      setPreview({ ...NO_PREVIEW, problem: refused?.message ?? t("unforeseen") });
    }
  };
  const { outcome } = preview;
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
          <Preview {...preview} />
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

/** Renders the expected result of the assignment, or the reason why it is unknown. */
function Preview({ outcome, problem, isChanged }: PreviewState) {
  const t = useTranslations("assign");
  return (
    <>
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

/** Renders the order's new status, the difference from the amount due, and the callbacks that will be sent. */
function Outcome({ outcome }: { outcome: AssignOutcome }) {
  const t = useTranslations("assign");
  const state = useTranslations("states");
  const { status, exception, network, currency, dueUnits, arrivedUnits, callbacks, laterHost } = outcome;
  const off = arrivedUnits > dueUnits ? arrivedUnits - dueUnits : dueUnits - arrivedUnits;
  const sum = off === 0n ? "full" : arrivedUnits > dueUnits ? "over" : "short";
  const text = [state(`order.${status}`), ...(exception ? [state(`exception.${exception}`)] : [])].join(" · ");
  return (
    <ul className="grid list-disc gap-1 pl-5">
      <li>
        {t("becomes")} <span className="font-medium">{text}</span>
      </li>
      <li>{t(sum, { off: `${amountText(off, network, currency)} ${currency}` })}</li>
      {callbacks.map(({ type, host }) => (
        <li key={type}>{t("callback", { type, host })}</li>
      ))}
      {callbacks.length > 0 ? null : <li>{laterHost ? t("callbackLater", { host: laterHost }) : t("noCallback")}</li>}
    </ul>
  );
}
