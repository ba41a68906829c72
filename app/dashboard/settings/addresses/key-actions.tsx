"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { toast } from "sonner";
import { limitPublicKey, removePublicKey } from "@/app/dashboard/settings/addresses/actions";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { ProveAgain } from "@/components/ui/form/prove-again";
import { RowMenu } from "@/components/ui/row-menu";

interface PublicKey {
  id: string;
  name: string;
  max: number;
}

type Task = "limitKey" | "removeKey";

const ACTION = { limitKey: limitPublicKey, removeKey: removePublicKey } as const;

/**
 * Renders the actions that change the maximum number of addresses of a public key and remove it, each with its dialog.
 */
export function KeyActions({ publicKey }: { publicKey: PublicKey }) {
  const t = useTranslations("addresses");
  const [task, setTask] = useState<Task | null>(null);
  const actions = [
    { text: t("limitKey"), onPick: () => setTask("limitKey") },
    { text: t("removeKey"), onPick: () => setTask("removeKey"), isDangerous: true },
  ];
  return (
    <>
      <RowMenu what={publicKey.name} actions={actions} />
      <Dialog
        isOpen={task !== null}
        onOpenChange={(isOpen) => !isOpen && setTask(null)}
        title={task ? t(`${task}Title`, { name: publicKey.name }) : ""}
        hint={task === "removeKey" ? t("removeKeyHint") : t("maxHint")}
      >
        {task ? <TaskForm task={task} publicKey={publicKey} onDone={() => setTask(null)} /> : null}
      </Dialog>
    </>
  );
}

interface TaskFormProps {
  task: Task;
  publicKey: PublicKey;
  onDone(): void;
}

function TaskForm({ task, publicKey, onDone }: TaskFormProps) {
  const t = useTranslations("addresses");
  const form = useForm(ACTION[task], () => {
    toast.success(t(`${task}Done`));
    onDone();
  });
  return (
    <Form form={form}>
      <input type="hidden" name="id" value={publicKey.id} />
      {task === "limitKey" ? (
        <TextField
          label={t("max")}
          name="max"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={String(publicKey.max)}
          error={form.errorOf("max")}
        />
      ) : null}
      <ProveAgain />
      <DialogActions>
        <Button onClick={onDone}>{t("cancel")}</Button>
        <Button type="submit" look={task === "removeKey" ? "danger" : "primary"} isBusy={form.isBusy}>
          {task === "removeKey" ? t("removeKey") : t("save")}
        </Button>
      </DialogActions>
    </Form>
  );
}
