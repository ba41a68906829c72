"use client";

import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { toast } from "sonner";
import { addAddressList, type ListValidation } from "@/app/dashboard/settings/addresses/actions";
import { KindField, type NetworkChoice, NetworkField } from "@/app/dashboard/settings/addresses/address-fields";
import { problemMessage } from "@/components/messages/problem-message";
import { Button } from "@/components/ui/button";
import { DialogActions } from "@/components/ui/dialog";
import { TextAreaField, TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { ProveAgain } from "@/components/ui/form/prove-again";
import { Notice } from "@/components/ui/notice";

/** The result of adding a list, with a message for each invalid line. */
type Outcome = Omit<ListValidation, "problems"> & { problems: { line: number; message: string }[] };

/** Renders the form that adds a pasted list of receiving addresses. */
export function ListForm({ networks, onDone }: { networks: readonly NetworkChoice[]; onDone(): void }) {
  const t = useTranslations("addresses");
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const language = useLocale();
  const form = useForm(addAddressList, async (answer) => {
    const isDone = answer.added > 0 || answer.good === 0;
    if (answer.added > 0) toast.success(t("listDone", { count: answer.added }));
    if (isDone && answer.problems.length === 0) return onDone();
    const toRow = async ({ line, problem }: ListValidation["problems"][number]) => ({
      line,
      message: await problemMessage(language, problem),
    });
    setOutcome({ ...answer, problems: await Promise.all(answer.problems.map(toRow)) });
  });
  const canAcceptGood = outcome !== null && outcome.good > 0;
  return (
    <Form form={form}>
      <NetworkField networks={networks} error={form.errorOf("network")} />
      <TextAreaField
        label={t("lines")}
        name="text"
        isMono
        rows={6}
        wrap="off"
        autoComplete="off"
        spellCheck={false}
        onChange={() => setOutcome(null)}
        error={form.errorOf("text")}
      />
      {outcome ? <Problems outcome={outcome} /> : null}
      <KindField first="dedicated" />
      <TextField label={t("labelForAll")} name="label" autoComplete="off" error={form.errorOf("label")} />
      {canAcceptGood ? <input type="hidden" name="isPartial" value="true" /> : null}
      <ProveAgain />
      <DialogActions>
        <Button onClick={onDone}>{outcome && outcome.added > 0 ? t("close") : t("cancel")}</Button>
        <Button type="submit" look="primary" isBusy={form.isBusy}>
          {canAcceptGood ? t("addGood", { count: outcome.good }) : t("addAll")}
        </Button>
      </DialogActions>
    </Form>
  );
}

/** Renders all errors, line by line. */
function Problems({ outcome: { added, good, problems } }: { outcome: Outcome }) {
  const t = useTranslations("addresses");
  const count = problems.length;
  return (
    <Notice tone={added > 0 ? "warn" : "bad"} isAlert>
      <p>{added > 0 ? t("badLinesAdded", { count }) : t("badLines", { count, good })}</p>
      <ul className="mt-1.5 grid max-h-40 gap-1 overflow-y-auto text-[0.8125rem]">
        {problems.map(({ line, message }) => (
          <li key={line}>
            <span className="font-medium tabular-nums">{t("line", { line: String(line) })}</span> {message}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
