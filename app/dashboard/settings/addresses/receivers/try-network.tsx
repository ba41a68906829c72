"use client";

import { tryOnNetwork } from "@/app/dashboard/settings/addresses/receivers/actions";
import { Button } from "@/components/ui/button";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";

/** Renders the button that starts or continues the trial on a network. */
export function TryNetwork({ id, network, text }: { id: string; network: string; text: string }) {
  const form = useForm(tryOnNetwork, () => {});
  return (
    <Form form={form}>
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="network" value={network} />
      <div>
        <Button type="submit" isBusy={form.isBusy}>
          {text}
        </Button>
      </div>
    </Form>
  );
}
