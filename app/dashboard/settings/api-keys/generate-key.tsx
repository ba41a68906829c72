"use client";

import { Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { generateKey } from "@/app/dashboard/settings/api-keys/actions";
import { type Issued, IssuedKey } from "@/app/dashboard/settings/api-keys/issued-key";
import { RuleFields } from "@/app/dashboard/settings/api-keys/rule-fields";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { ProveAgain } from "@/components/ui/form/prove-again";
import { DEFAULT_RULES } from "@/lib/domain/keys/key-rules";

/** The button that issues a key, and its window: first what for, then key and secret. */
export function GenerateKey() {
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
        <Plus aria-hidden /> Generate new API key
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={(next) => (next ? setOpen(true) : close())}
        isHeld={issued !== null}
        title={issued ? "Your new API key" : "Generate new API key"}
        hint={issued ? undefined : "You get a key and a secret together."}
      >
        {issued ? <IssuedKey {...issued} onDone={close} /> : <KeyForm onIssued={setIssued} onCancel={close} />}
      </Dialog>
    </>
  );
}

function KeyForm({ onIssued, onCancel }: { onIssued(issued: Issued): void; onCancel(): void }) {
  const form = useForm(generateKey, onIssued);
  return (
    <Form form={form}>
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        placeholder="Web shop"
        hint="Where the key is used."
        error={form.errorOf("name")}
      />
      <details>
        <summary className="w-fit rounded font-medium text-ink-soft hover:text-ink">Rules and callback format</summary>
        <div className="mt-3 grid gap-4">
          <RuleFields rules={DEFAULT_RULES} errorOf={form.errorOf} />
        </div>
      </details>
      <ProveAgain />
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={form.isBusy}>
          Generate
        </Button>
      </DialogActions>
    </Form>
  );
}
