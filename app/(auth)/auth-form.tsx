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
  /** What the button says. */
  submit: string;
  action(form: FormData): Promise<Answer<true>>;
  /** Where it leads; left out: into the back office. */
  goTo?: string;
  children(errorOf: (field: string) => string | undefined): ReactNode;
}

/** The way in: a card with a form that ends in the back office. */
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
