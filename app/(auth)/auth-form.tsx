"use client";

import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Form } from "@/components/ui/form/form";
import { type Answer, useForm } from "@/components/ui/form/form-state";

interface AuthFormProps {
  title: string;
  hint: string;
  /** The label of the button. */
  submit: string;
  action(form: FormData): Promise<Answer<true>>;
  /** The page to open afterwards; defaults to the back office. */
  goTo?: string;
  children(errorOf: (field: string) => string | undefined): ReactNode;
}

/** Renders the card and form that all sign-in pages share. After a successful submission, the form opens `goTo`. */
export function AuthForm({ title, hint, submit, action, goTo = "/dashboard", children }: AuthFormProps) {
  const router = useRouter();
  const form = useForm(action, () => {
    router.replace(goTo);
    router.refresh();
  });
  return (
    <Card className="p-2 sm:p-3">
      <h1 className="mb-1 font-semibold text-xl tracking-tight">{title}</h1>
      <p className="mb-5 text-ink-soft">{hint}</p>
      <Form form={form}>
        {children(form.errorOf)}
        <Button type="submit" look="primary" isBusy={form.isBusy} className="mt-1">
          {submit}
        </Button>
      </Form>
    </Card>
  );
}
