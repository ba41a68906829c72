"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { toast } from "sonner";
import { allowPluginFormat, dismissPluginRequest } from "@/app/dashboard/settings/api-keys/actions";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { ProveAgain } from "@/components/ui/form/prove-again";

type Task = "allow" | "dismiss";

interface RequestedKeyProps {
  apiKey: { id: string; name: string };
}

/** Renders the buttons that allow or dismiss the request of a plugin for a key, and their dialog. */
export function RequestedKeyActions({ apiKey }: RequestedKeyProps) {
  const t = useTranslations("plugins.hosted");
  const [task, setTask] = useState<Task | null>(null);
  const close = () => setTask(null);
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="small" onClick={() => setTask("allow")}>
        {t("allow")}
      </Button>
      <Button size="small" look="quiet" onClick={() => setTask("dismiss")}>
        {t("dismiss")}
      </Button>
      <Dialog
        isOpen={task !== null}
        onOpenChange={(isOpen) => !isOpen && close()}
        title={task ? t(`${task}Title`, { name: apiKey.name }) : ""}
        hint={task ? t(`${task}Hint`) : undefined}
      >
        {task ? <Decision key={task} task={task} apiKey={apiKey} onDone={close} /> : null}
      </Dialog>
    </div>
  );
}

const ACTIONS = {
  allow: { action: allowPluginFormat, submit: "allow", done: "allowed" },
  dismiss: { action: dismissPluginRequest, submit: "dismissNow", done: "dismissed" },
} as const;

function Decision({ task, apiKey, onDone }: RequestedKeyProps & { task: Task; onDone(): void }) {
  const t = useTranslations("plugins.hosted");
  const cancel = useTranslations("plugins")("cancel");
  const { action, submit, done } = ACTIONS[task];
  const form = useForm(action, () => {
    toast.success(t(done));
    onDone();
  });
  return (
    <Form form={form}>
      <input type="hidden" name="id" value={apiKey.id} />
      <ProveAgain />
      <DialogActions>
        <Button onClick={onDone}>{cancel}</Button>
        <Button type="submit" look="primary" isBusy={form.isBusy}>
          {t(submit)}
        </Button>
      </DialogActions>
    </Form>
  );
}
