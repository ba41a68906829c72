"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { DialogActions } from "@/components/ui/dialog";
import { Form } from "@/components/ui/form/form";
import { type Answer, useForm } from "@/components/ui/form/form-state";
import { ProveAgain } from "@/components/ui/form/prove-again";
import type { IntegrationId } from "@/lib/domain/integration-id";

interface ProtocolFormProps<T> {
  integration: IntegrationId;
  action(form: FormData): Promise<Answer<T>>;
  submit: string;
  isDangerous?: boolean;
  onDone(ok: T): void;
  onCancel(): void;
  children?(errorOf: (field: string) => string | undefined): ReactNode;
}

/** Renders a form about an integration, with a field to confirm the password. */
export function ProtocolForm<T>(props: ProtocolFormProps<T>) {
  const { integration, action, submit, isDangerous, onDone, onCancel, children } = props;
  const t = useTranslations("plugins");
  const form = useForm(action, onDone);
  return (
    <Form form={form}>
      <input type="hidden" name="integration" value={integration} />
      {children?.(form.errorOf)}
      <ProveAgain />
      <DialogActions>
        <Button onClick={onCancel}>{t("cancel")}</Button>
        <Button type="submit" look={isDangerous ? "danger" : "primary"} isBusy={form.isBusy}>
          {submit}
        </Button>
      </DialogActions>
    </Form>
  );
}
