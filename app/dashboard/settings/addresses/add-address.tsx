"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { addAddress } from "@/app/dashboard/settings/addresses/actions";
import { KindField, type NetworkChoice, NetworkField } from "@/app/dashboard/settings/addresses/address-fields";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { ProveAgain } from "@/components/ui/form/prove-again";

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
  return (
    <Form form={form}>
      <NetworkField networks={networks} error={form.errorOf("network")} />
      <AddressField label="Address" name="address" error={form.errorOf("address")} />
      <AddressField
        label="The same address again"
        name="again"
        hint="Copied from your wallet once more: malware that swaps addresses on the clipboard shows itself here."
        error={form.errorOf("again")}
      />
      <KindField first="shared" />
      <TextField
        label="Label (optional)"
        name="label"
        autoComplete="off"
        placeholder="Cold wallet"
        error={form.errorOf("label")}
      />
      <ProveAgain />
      <DialogActions>
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={form.isBusy}>
          Add address
        </Button>
      </DialogActions>
    </Form>
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
