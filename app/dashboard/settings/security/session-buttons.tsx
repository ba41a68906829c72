"use client";

import { toast } from "sonner";
import { endOne, endOthers } from "@/app/dashboard/settings/security/actions";
import { Button } from "@/components/ui/button";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";

/** Signs one browser out. */
export function EndOne({ id, browser }: { id: string; browser: string }) {
  const form = useForm(endOne, () => toast.success(`${browser} is signed out`));
  return (
    <Form form={form} className="justify-items-end">
      <input type="hidden" name="id" value={id} />
      <Button type="submit" size="small" isBusy={form.isBusy} aria-label={`Sign out ${browser}`}>
        Sign out
      </Button>
    </Form>
  );
}

/** Signs every other browser out. */
export function EndOthers() {
  const form = useForm(endOthers, (count) =>
    toast.success(count === 1 ? "One other browser is signed out" : `${count} other browsers are signed out`),
  );
  return (
    <Form form={form}>
      <Button type="submit" isBusy={form.isBusy}>
        Sign out all others
      </Button>
    </Form>
  );
}
