"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { toast } from "sonner";
import {
  addChannel,
  confirmChannel,
  removeChannel,
  resendCode,
  testChannel,
} from "@/app/dashboard/settings/notifications/actions";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { SelectField, TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { ProveAgain } from "@/components/ui/form/prove-again";
import type { Way } from "@/lib/domain/notifications/notification";

interface Channel {
  id: string;
  shown: string;
}

/**
 * Renders the form that adds a channel: its destination, then the code that was sent there. A webhook receives a test message instead of a
 * code.
 */
export function AddChannel({ email, hasMail }: { email: string; hasMail: boolean }) {
  const t = useTranslations("notifications");
  const [isOpen, setOpen] = useState(false);
  const [way, setWay] = useState<Way>(hasMail ? "email" : "telegram");
  const [added, setAdded] = useState<Channel | null>(null);
  const router = useRouter();
  const close = () => {
    setOpen(false);
    setAdded(null);
    router.refresh();
  };
  const done = (channel: Channel) => {
    if (way !== "webhook") return setAdded(channel);
    toast.success(t("confirmed", { where: channel.shown }));
    close();
  };
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        {t("add")}
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={(open) => !open && close()}
        title={added ? t("codeTitle", { where: added.shown }) : t("add")}
        hint={added ? t("codeHint") : undefined}
      >
        {added ? (
          <CodeForm channel={added} onDone={close} />
        ) : (
          <Fields {...{ way, setWay, email, hasMail }} onDone={done} onCancel={close} />
        )}
      </Dialog>
    </>
  );
}

interface FieldsProps {
  way: Way;
  setWay(way: Way): void;
  email: string;
  hasMail: boolean;
  onDone(channel: Channel): void;
  onCancel(): void;
}

function Fields({ way, setWay, email, hasMail, onDone, onCancel }: FieldsProps) {
  const t = useTranslations("notifications");
  const form = useForm(addChannel, onDone);
  const options = [
    ...(hasMail ? [{ value: "email", text: t("addEmail") }] : []),
    { value: "telegram", text: t("addTelegram") },
    { value: "webhook", text: t("addWebhook") },
  ];
  return (
    <Form form={form}>
      <SelectField
        label={t("kind")}
        name="way"
        value={way}
        options={options}
        onChange={(event) => {
          form.clear();
          setWay(event.target.value as Way);
        }}
      />
      <input type="hidden" name="timeZone" value={Intl.DateTimeFormat().resolvedOptions().timeZone} />
      <DestinationField way={way} email={email} errorOf={form.errorOf} />
      <ProveAgain />
      <DialogActions>
        <Button onClick={onCancel}>{t("cancel")}</Button>
        <Button type="submit" look="primary" isBusy={form.isBusy}>
          {t(way === "webhook" ? "addIt" : "sendCode")}
        </Button>
      </DialogActions>
    </Form>
  );
}

function DestinationField({
  way,
  email,
  errorOf,
}: {
  way: Way;
  email: string;
  errorOf(field: string): string | undefined;
}) {
  const t = useTranslations("notifications");
  if (way === "email")
    return (
      <TextField
        key="email"
        label={t("email")}
        name="email"
        type="email"
        defaultValue={email}
        hint={t("emailHint")}
        error={errorOf("email")}
      />
    );
  if (way === "webhook")
    return <TextField key="url" label={t("url")} name="url" isMono hint={t("urlHint")} error={errorOf("url")} />;
  return (
    <>
      <TextField
        label={t("token")}
        name="token"
        type="password"
        autoComplete="off"
        isMono
        hint={t("tokenHint")}
        error={errorOf("token")}
      />
      <TextField label={t("chatId")} name="chatId" isMono hint={t("chatIdHint")} error={errorOf("chatId")} />
    </>
  );
}

function CodeForm({ channel: { id, shown }, onDone }: { channel: Channel; onDone(): void }) {
  const t = useTranslations("notifications");
  const form = useForm(confirmChannel, () => {
    toast.success(t("confirmed", { where: shown }));
    onDone();
  });
  return (
    <Form form={form}>
      <input type="hidden" name="id" value={id} />
      <TextField
        label={t("code")}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        isMono
        error={form.errorOf("code")}
      />
      <DialogActions>
        <Button onClick={onDone}>{t("cancel")}</Button>
        <Button type="submit" look="primary" isBusy={form.isBusy}>
          {t("confirm")}
        </Button>
      </DialogActions>
    </Form>
  );
}

/** Renders the actions of a channel: send a test or enter its code, and remove it. */
export function ChannelActions({ id, shown, isVerified }: Channel & { isVerified: boolean }) {
  const t = useTranslations("notifications");
  return (
    <div className="flex flex-wrap items-start justify-end gap-2">
      {isVerified ? (
        <OneClick id={id} action={testChannel} text={t("test")} success={t("tested", { where: shown })} />
      ) : (
        <>
          <TypeCode id={id} shown={shown} />
          <OneClick id={id} action={resendCode} text={t("resend")} success={t("codeSent")} />
        </>
      )}
      <RemoveChannel id={id} shown={shown} />
    </div>
  );
}

function RemoveChannel({ id, shown }: Channel) {
  const t = useTranslations("notifications");
  const [isOpen, setOpen] = useState(false);
  const title = t("removeTitle", { where: shown });
  return (
    <>
      <Button size="small" aria-label={title} onClick={() => setOpen(true)}>
        {t("remove")}
      </Button>
      <Dialog isOpen={isOpen} onOpenChange={setOpen} title={title} hint={t("removeHint")}>
        <RemoveForm id={id} shown={shown} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function RemoveForm({ id, shown, onDone }: Channel & { onDone(): void }) {
  const t = useTranslations("notifications");
  const form = useForm(removeChannel, () => {
    toast.success(t("removed", { where: shown }));
    onDone();
  });
  return (
    <Form form={form}>
      <input type="hidden" name="id" value={id} />
      <ProveAgain />
      <DialogActions>
        <Button onClick={onDone}>{t("cancel")}</Button>
        <Button type="submit" look="danger" isBusy={form.isBusy}>
          {t("remove")}
        </Button>
      </DialogActions>
    </Form>
  );
}

function TypeCode({ id, shown }: Channel) {
  const t = useTranslations("notifications");
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {t("code")}
      </Button>
      <Dialog isOpen={isOpen} onOpenChange={setOpen} title={t("codeTitle", { where: shown })}>
        <CodeForm channel={{ id, shown }} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

interface OneClickProps {
  id: string;
  action: typeof testChannel;
  text: string;
  /** The message that is shown after the action succeeds. */
  success: string;
}

function OneClick({ id, action, text, success }: OneClickProps) {
  const form = useForm(action, () => toast.success(success));
  return (
    <Form form={form} className="justify-items-end gap-2">
      <input type="hidden" name="id" value={id} />
      <Button type="submit" size="small" isBusy={form.isBusy}>
        {text}
      </Button>
    </Form>
  );
}
