import type { ReactNode, Ref } from "react";
import { cn } from "@/components/ui/class-names";
import { FormErrors, type FormState } from "@/components/ui/form/form-state";
import { Notice } from "@/components/ui/notice";

interface FormProps {
  form: FormState;
  ref?: Ref<HTMLFormElement>;
  className?: string;
  children: ReactNode;
}

/** Renders a single-column form for a server action. An error of the form as a whole is shown above its fields. */
export function Form({ form, ref, className, children }: FormProps) {
  const problem = form.errorOf("");
  return (
    <form ref={ref} onSubmit={form.submit} noValidate className={cn("grid gap-4", className)}>
      {problem ? (
        <Notice tone="bad" isAlert>
          {problem}
        </Notice>
      ) : null}
      <FormErrors value={form.errorOf}>{children}</FormErrors>
    </form>
  );
}
