"use client";

import { Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { generateKey } from "@/app/dashboard/settings/api-keys/actions";
import { type Issued, IssuedKey } from "@/app/dashboard/settings/api-keys/issued-key";
import { RuleFields } from "@/app/dashboard/settings/api-keys/rule-fields";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Choice, TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { ProveAgain } from "@/components/ui/form/prove-again";
import { DEFAULT_RULES } from "@/lib/domain/keys/key-rules";

/** Renders the button that issues a key, and its dialog: first its settings, then key and secret. */
export function GenerateKey() {
  const t = useTranslations("apiKeys");
  const [isOpen, setOpen] = useState(false);
  const [issued, setIssued] = useState<Issued | null>(null);
  const router = useRouter();
  const close = () => {
    if (issued) router.refresh();
    setOpen(false);
    setIssued(null);
  };
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        <Plus aria-hidden /> {t("generate")}
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={(next) => (next ? setOpen(true) : close())}
        isHeld={issued !== null}
        title={issued ? t("yourNew") : t("generate")}
        hint={issued ? undefined : t("generateHint")}
      >
        {issued ? <IssuedKey {...issued} onDone={close} /> : <KeyForm onIssued={setIssued} onCancel={close} />}
      </Dialog>
    </>
  );
}

function KeyForm({ onIssued, onCancel }: { onIssued(issued: Issued): void; onCancel(): void }) {
  const t = useTranslations("apiKeys");
  const form = useForm(generateKey, onIssued);
  return (
    <Form form={form}>
      <TextField
        label={t("name")}
        name="name"
        autoComplete="off"
        placeholder={t("nameExample")}
        hint={t("nameHint")}
        error={form.errorOf("name")}
      />
      <Choice type="checkbox" name="isForPlugin" label={t("isForPlugin")} hint={t("isForPluginHint")} />
      <Choice type="checkbox" name="isForAgents" label={t("isForAgents")} hint={t("isForAgentsHint")} />
      <details>
        <summary className="w-fit rounded font-medium text-ink-soft hover:text-ink">{t("rulesAndFormat")}</summary>
        <div className="mt-3 grid gap-4">
          <RuleFields rules={DEFAULT_RULES} errorOf={form.errorOf} />
        </div>
      </details>
      <ProveAgain />
      <DialogActions>
        <Button onClick={onCancel}>{t("cancel")}</Button>
        <Button type="submit" look="primary" isBusy={form.isBusy}>
          {t("generateNow")}
        </Button>
      </DialogActions>
    </Form>
  );
}
