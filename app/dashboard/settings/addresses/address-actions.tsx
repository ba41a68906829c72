"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { toast } from "sonner";
import { labelAddress, pauseAddress, removeAddress, resumeAddress } from "@/app/dashboard/settings/addresses/actions";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { ProveAgain } from "@/components/ui/form/prove-again";
import { RowMenu } from "@/components/ui/row-menu";

interface Address {
  id: string;
  /** The shortened address, for display. */
  short: string;
  label: string;
  isPaused: boolean;
  /** True if the address MAC does not match: the address can only be removed. */
  hasInvalidMac: boolean;
}

type Task = "label" | "pause" | "resume" | "remove";

const ACTION = { label: labelAddress, pause: pauseAddress, resume: resumeAddress, remove: removeAddress } as const;
const SUBMIT = { label: "save", pause: "pause", resume: "resume", remove: "removeNow" } as const;

/** Renders the actions label, pause and remove, each with its dialog. */
export function AddressActions({ address }: { address: Address }) {
  const t = useTranslations("addresses");
  const [task, setTask] = useState<Task | null>(null);
  const toggle = address.isPaused ? "resume" : "pause";
  const actions = [
    { text: address.label ? t("changeLabel") : t("addLabel"), onPick: () => setTask("label") },
    ...(address.hasInvalidMac ? [] : [{ text: t(toggle), onPick: () => setTask(toggle) }]),
    { text: t("remove"), onPick: () => setTask("remove"), isDangerous: true },
  ];
  return (
    <>
      <RowMenu what={address.label || address.short} actions={actions} />
      <Dialog
        isOpen={task !== null}
        onOpenChange={(isOpen) => !isOpen && setTask(null)}
        title={task ? t(`${task}Title`, { address: address.short }) : ""}
        hint={task ? t(`${task}Hint`) : undefined}
      >
        {task ? <TaskForm task={task} address={address} onDone={() => setTask(null)} /> : null}
      </Dialog>
    </>
  );
}

interface TaskFormProps {
  task: Task;
  address: Address;
  onDone(): void;
}

function TaskForm({ task, address, onDone }: TaskFormProps) {
  const t = useTranslations("addresses");
  const form = useForm(ACTION[task], () => {
    toast.success(t(`${task}Done`));
    onDone();
  });
  return (
    <Form form={form}>
      <input type="hidden" name="id" value={address.id} />
      {task === "label" ? (
        <TextField
          label={t("label")}
          name="label"
          autoComplete="off"
          defaultValue={address.label}
          error={form.errorOf("label")}
        />
      ) : null}
      <ProveAgain />
      <DialogActions>
        <Button onClick={onDone}>{t("cancel")}</Button>
        <Button type="submit" look={task === "remove" ? "danger" : "primary"} isBusy={form.isBusy}>
          {t(SUBMIT[task])}
        </Button>
      </DialogActions>
    </Form>
  );
}
