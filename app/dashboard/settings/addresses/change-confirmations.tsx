"use client";

import { useState } from "react";
import { toast } from "sonner";
import { changeConfirmations } from "@/app/dashboard/settings/addresses/actions";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { ProveAgain } from "@/components/ui/form/prove-again";

interface ConfirmationsProps {
  network: string;
  /** Name of the network, for people. */
  name: string;
  /** What holds now, as a person would type it. */
  typed: string;
  /** What the network asks for, and what may be typed. */
  hint: string;
}

/** The button that changes how many confirmations a network's payments need, and its window. */
export function ChangeConfirmations(props: ConfirmationsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)} aria-label={`Change confirmations on ${props.name}`}>
        Change
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setOpen}
        title={`Confirmations on ${props.name}`}
        hint="It counts at once, also for payments that are being confirmed now. What is paid stays paid."
      >
        <ConfirmationsForm {...props} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function ConfirmationsForm({ network, typed, hint, onDone }: ConfirmationsProps & { onDone(): void }) {
  const form = useForm(changeConfirmations, () => {
    toast.success("The confirmations are saved");
    onDone();
  });
  return (
    <Form form={form}>
      <input type="hidden" name="network" value={network} />
      <TextField
        label="At least so many confirmations, or so long"
        name="confirmations"
        autoComplete="off"
        placeholder="As the network has it"
        defaultValue={typed}
        hint={hint}
        error={form.errorOf("confirmations")}
      />
      <ProveAgain />
      <DialogActions>
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={form.isBusy}>
          Save
        </Button>
      </DialogActions>
    </Form>
  );
}
