"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
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

/** Returns the options for a role, the one with the fewest permissions first. */
export function useRoleOptions() {
  const t = useTranslations("team");
  return [
    { value: "viewer", text: t("viewerMay") },
    { value: "admin", text: t("adminMay") },
    { value: "owner", text: t("ownerMay") },
  ];
}

interface Invited {
  link: string;
  email: string;
}

/** Renders the dialog for an invitation: first email address and role, then the link, which is shown only once. */
export function InvitePerson() {
  const t = useTranslations("team");
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
        {t("invite")}
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={(open) => !open && close()}
        isHeld={invited !== null}
        title={invited ? t("invitationFor", { email: invited.email }) : t("invite")}
        hint={invited ? undefined : t("inviteHint")}
      >
        {invited ? <Link link={invited.link} onDone={close} /> : <Fields onDone={setInvited} onCancel={close} />}
      </Dialog>
    </>
  );
}

function Fields({ onDone, onCancel }: { onDone(invited: Invited): void; onCancel(): void }) {
  const t = useTranslations("team");
  const options = useRoleOptions();
  const form = useForm(invitePerson, onDone);
  return (
    <Form form={form}>
      <TextField label={t("email")} name="email" type="email" autoComplete="off" error={form.errorOf("email")} />
      <SelectField label={t("role")} name="role" options={options} error={form.errorOf("role")} />
      <ProveAgain />
      <DialogActions>
        <Button onClick={onCancel}>{t("cancel")}</Button>
        <Button type="submit" look="primary" isBusy={form.isBusy}>
          {t("makeLink")}
        </Button>
      </DialogActions>
    </Form>
  );
}

function Link({ link, onDone }: { link: string; onDone(): void }) {
  const t = useTranslations("team");
  return (
    <div className="grid gap-4">
      <Notice tone="warn">{t("copyLink")}</Notice>
      <CodeBlock text={link} what={t("link")} />
      <DialogActions>
        <Button look="primary" onClick={onDone}>
          {t("done")}
        </Button>
      </DialogActions>
    </div>
  );
}
