"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { toast } from "sonner";
import { changeRole, leaveShop, removeMember, revokeInvitation } from "@/app/dashboard/settings/team/actions";
import { useRoleOptions } from "@/app/dashboard/settings/team/invite-person";
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
const SUBMIT = { role: "changeRole", remove: "remove", leave: "leave" } as const;
const TITLE = { role: "roleOf", remove: "removeWhom", leave: "leaveThis" } as const;
const HINT = { role: "changeRoleHint", remove: "removeHint", leave: "leaveHint" } as const;

/** Renders the actions of a member, each with its dialog. */
export function MemberActions({ member, isSelf, isOwner }: { member: Member; isSelf: boolean; isOwner: boolean }) {
  const t = useTranslations("team");
  const [task, setTask] = useState<Task | null>(null);
  const close = () => setTask(null);
  const actions = [
    ...(isOwner ? [{ text: t("changeRole"), onPick: () => setTask("role") }] : []),
    isSelf
      ? { text: t("leaveShop"), onPick: () => setTask("leave"), isDangerous: true }
      : { text: t("remove"), onPick: () => setTask("remove"), isDangerous: true },
  ];
  return (
    <>
      <RowMenu what={member.email} actions={actions} />
      <Dialog
        isOpen={task !== null}
        onOpenChange={(isOpen) => !isOpen && close()}
        title={task ? t(TITLE[task], { email: member.email }) : ""}
        hint={task ? t(HINT[task]) : undefined}
      >
        {task ? <MemberForm member={member} task={task} onDone={close} /> : null}
      </Dialog>
    </>
  );
}

function MemberForm({ member, task, onDone }: { member: Member; task: Task; onDone(): void }) {
  const t = useTranslations("team");
  const options = useRoleOptions();
  const form = useForm(ACTION[task], () => {
    onDone();
    if (task === "leave") return window.location.assign("/dashboard");
    toast.success(task === "role" ? t("roleChanged") : t("removed", { email: member.email }));
  });
  return (
    <Form form={form}>
      <input type="hidden" name="userId" value={member.userId} />
      {task === "role" ? (
        <SelectField
          label={t("role")}
          name="role"
          defaultValue={member.role}
          options={options}
          error={form.errorOf("role")}
        />
      ) : null}
      <ProveAgain />
      <DialogActions>
        <Button onClick={onDone}>{t("cancel")}</Button>
        <Button type="submit" look={task === "role" ? "primary" : "danger"} isBusy={form.isBusy}>
          {t(SUBMIT[task])}
        </Button>
      </DialogActions>
    </Form>
  );
}

/** Renders the button that revokes an invitation. */
export function InvitationActions({ id, email }: { id: string; email: string }) {
  const t = useTranslations("team");
  const form = useForm(revokeInvitation, () => toast.success(t("takenBack", { email })));
  return (
    <Form form={form} className="justify-items-end">
      <input type="hidden" name="id" value={id} />
      <Button type="submit" size="small" isBusy={form.isBusy} aria-label={t("takeBackWhat", { email })}>
        {t("takeBack")}
      </Button>
    </Form>
  );
}
