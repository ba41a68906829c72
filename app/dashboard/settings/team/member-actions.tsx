"use client";

import { useState } from "react";
import { toast } from "sonner";
import { changeRole, leaveShop, removeMember, revokeInvitation } from "@/app/dashboard/settings/team/actions";
import { ROLE_OPTIONS } from "@/app/dashboard/settings/team/invite-person";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { SelectField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { ProveAgain } from "@/components/ui/form/prove-again";
import { RowMenu } from "@/components/ui/row-menu";
import type { Role } from "@/lib/domain/keys/role";

interface Member {
  userId: string;
  email: string;
  role: Role;
}

type Task = "role" | "remove" | "leave";
const ACTION = { role: changeRole, remove: removeMember, leave: leaveShop } as const;
const SUBMIT: Record<Task, string> = { role: "Change role", remove: "Remove", leave: "Leave" };
const TITLE: Record<Task, (email: string) => string> = {
  role: (email) => `Role of ${email}`,
  remove: (email) => `Remove ${email}`,
  leave: () => "Leave this shop",
};
const HINT: Record<Task, string> = {
  role: "It holds from their next click on.",
  remove: "They see nothing of this shop from their next click on. Invitations of theirs that wait end too.",
  leave: "You see nothing of this shop any more. Only an owner can let you in again.",
};

/** What can be done about a person of the shop, each with its window. */
export function MemberActions({ member, isSelf, isOwner }: { member: Member; isSelf: boolean; isOwner: boolean }) {
  const [task, setTask] = useState<Task | null>(null);
  const close = () => setTask(null);
  const actions = [
    ...(isOwner ? [{ text: "Change role", onPick: () => setTask("role") }] : []),
    isSelf
      ? { text: "Leave the shop", onPick: () => setTask("leave"), isDangerous: true }
      : { text: "Remove", onPick: () => setTask("remove"), isDangerous: true },
  ];
  return (
    <>
      <RowMenu what={member.email} actions={actions} />
      <Dialog
        isOpen={task !== null}
        onOpenChange={(isOpen) => !isOpen && close()}
        title={task ? TITLE[task](member.email) : ""}
        hint={task ? HINT[task] : undefined}
      >
        {task ? <MemberForm member={member} task={task} onDone={close} /> : null}
      </Dialog>
    </>
  );
}

function MemberForm({ member, task, onDone }: { member: Member; task: Task; onDone(): void }) {
  const form = useForm(ACTION[task], () => {
    onDone();
    if (task === "leave") return window.location.assign("/dashboard");
    toast.success(task === "role" ? "The role is changed" : `${member.email} is removed`);
  });
  return (
    <Form form={form}>
      <input type="hidden" name="userId" value={member.userId} />
      {task === "role" ? (
        <SelectField
          label="Role"
          name="role"
          defaultValue={member.role}
          options={ROLE_OPTIONS}
          error={form.errorOf("role")}
        />
      ) : null}
      <ProveAgain />
      <DialogActions>
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" look={task === "role" ? "primary" : "danger"} isBusy={form.isBusy}>
          {SUBMIT[task]}
        </Button>
      </DialogActions>
    </Form>
  );
}

/** Takes an invitation back. */
export function InvitationActions({ id, email }: { id: string; email: string }) {
  const form = useForm(revokeInvitation, () => toast.success(`The link for ${email} opens nothing any more`));
  return (
    <Form form={form} className="justify-items-end">
      <input type="hidden" name="id" value={id} />
      <Button type="submit" size="small" isBusy={form.isBusy} aria-label={`Take back the invitation for ${email}`}>
        Take back
      </Button>
    </Form>
  );
}
