"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { addAddress } from "@/app/dashboard/settings/addresses/actions";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Choice, SelectField, TextField } from "@/components/ui/field";
import { useForm } from "@/components/ui/form-state";
import { Notice } from "@/components/ui/notice";
import { PasswordAgain } from "@/components/ui/password-again";

/** A network that is switched on. */
export interface NetworkChoice {
  id: string;
  title: string;
}

/** The button that adds a receiving address, and its window. */
export function AddAddress({ networks }: { networks: readonly NetworkChoice[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        <Plus aria-hidden /> Add address
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setOpen}
        title="Add a receiving address"
        hint="An address of your own wallet. Payers send straight to it; no private key is ever asked for here."
      >
        <AddressForm networks={networks} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function AddressForm({ networks, onDone }: { networks: readonly NetworkChoice[]; onDone(): void }) {
  const form = useForm(addAddress, () => {
    toast.success("The address is added. New orders can use it");
    onDone();
  });
  const problem = form.errorOf("");
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      {problem ? (
        <Notice tone="bad" isAlert>
          {problem}
        </Notice>
      ) : null}
      <SelectField
        label="Network"
        name="network"
        options={networks.map(({ id, title }) => ({ value: id, text: title }))}
        error={form.errorOf("network")}
      />
      <AddressField label="Address" name="address" error={form.errorOf("address")} />
      <AddressField
        label="The same address again"
        name="again"
        hint="Copied from your wallet once more: malware that swaps addresses on the clipboard shows itself here."
        error={form.errorOf("again")}
      />
      <fieldset className="grid gap-2.5">
        <legend className="mb-1.5 font-medium">How payments are told apart</legend>
        <Choice
          type="radio"
          name="kind"
          value="shared"
          defaultChecked
          label="Shared"
          hint="Many orders at once, each with its own exact amount, such as 10.0003. The usual choice."
        />
        <Choice
          type="radio"
          name="kind"
          value="dedicated"
          label="Dedicated"
          hint="One order at a time, with a round amount; partial payments add up."
        />
      </fieldset>
      <TextField
        label="Label (optional)"
        name="label"
        autoComplete="off"
        placeholder="Cold wallet"
        error={form.errorOf("label")}
      />
      <PasswordAgain error={form.errorOf("password")} />
      <DialogActions>
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={form.isBusy}>
          Add address
        </Button>
      </DialogActions>
    </form>
  );
}

interface AddressFieldProps {
  label: string;
  name: string;
  hint?: string;
  error: string | undefined;
}

function AddressField(props: AddressFieldProps) {
  return <TextField {...props} isMono autoComplete="off" spellCheck={false} />;
}
