"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { toast } from "sonner";
import { askFactors } from "@/app/dashboard/settings/team/actions";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { ProveAgain } from "@/components/ui/form/prove-again";

/** Renders the setting that requires a second factor from all members of the shop. An owner can change it. */
export function AskFactorsCard({ isAsked, isOwner }: { isAsked: boolean; isOwner: boolean }) {
  const t = useTranslations("factors");
  return (
    <Card title={t("everybody")} action={isOwner ? <AskFactors isAsked={isAsked} /> : null}>
      <p className="text-ink-soft">{t(isAsked ? "everybodyOn" : "everybodyOff")}</p>
    </Card>
  );
}

function AskFactors({ isAsked }: { isAsked: boolean }) {
  const t = useTranslations("factors");
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const form = useForm(askFactors, () => {
    setOpen(false);
    toast.success(t("asked"));
    router.refresh();
  });
  const text = t(isAsked ? "askNoMore" : "ask");
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {text}
      </Button>
      <Dialog isOpen={isOpen} onOpenChange={setOpen} title={text} hint={t(isAsked ? "askNoMoreHint" : "askHint")}>
        <Form form={form}>
          <input type="hidden" name="asks" value={isAsked ? "no" : "yes"} />
          <ProveAgain />
          <DialogActions>
            <Button onClick={() => setOpen(false)}>{t("cancel")}</Button>
            <Button type="submit" look="primary" isBusy={form.isBusy}>
              {text}
            </Button>
          </DialogActions>
        </Form>
      </Dialog>
    </>
  );
}
