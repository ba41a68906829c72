"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { invitePerson } from "@/app/dashboard/settings/team/actions";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/copy-button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { SelectField, TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { ProveAgain } from "@/components/ui/form/prove-again";
import { Notice } from "@/components/ui/notice";

/** The choice of a role, the least first. */
export const ROLE_OPTIONS = [
  { value: "viewer", text: "Viewer: looks, and changes nothing" },
  { value: "admin", text: "Admin: orders, transfers, addresses, keys, settings" },
  { value: "owner", text: "Owner: the same, and people" },
];

interface Invited {
  link: string;
  email: string;
}

/** Invites somebody: first who and as what, then the link, this once. */
export function InvitePerson() {
  const [isOpen, setOpen] = useState(false);
  const [invited, setInvited] = useState<Invited | null>(null);
  const router = useRouter();
  const close = () => {
    setOpen(false);
    setInvited(null);
    router.refresh();
  };
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        Invite somebody
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={(open) => !open && close()}
        isHeld={invited !== null}
        title={invited ? `Invitation for ${invited.email}` : "Invite somebody"}
        hint={
          invited ? undefined : "You get a link to send to them. It works once, for a week, for this e-mail address."
        }
      >
        {invited ? <Link link={invited.link} onDone={close} /> : <Fields onDone={setInvited} onCancel={close} />}
      </Dialog>
    </>
  );
}

function Fields({ onDone, onCancel }: { onDone(invited: Invited): void; onCancel(): void }) {
  const form = useForm(invitePerson, onDone);
  return (
    <Form form={form}>
      <TextField label="E-mail" name="email" type="email" autoComplete="off" error={form.errorOf("email")} />
      <SelectField label="Role" name="role" options={ROLE_OPTIONS} error={form.errorOf("role")} />
      <ProveAgain />
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={form.isBusy}>
          Make the link
        </Button>
      </DialogActions>
    </Form>
  );
}

function Link({ link, onDone }: { link: string; onDone(): void }) {
  return (
    <div className="grid gap-4">
      <Notice tone="warn">Copy the link now and send it yourself. It is not shown again.</Notice>
      <CodeBlock text={link} what="Link" />
      <DialogActions>
        <Button look="primary" onClick={onDone}>
          Done
        </Button>
      </DialogActions>
    </div>
  );
}
