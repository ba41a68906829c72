"use client";

import { startRegistration } from "@simplewebauthn/browser";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { QRCodeSVG } from "qrcode.react";
import { type ReactNode, useState } from "react";
import { toast } from "sonner";
import {
  addPasskey,
  disableTotp,
  dropPasskey,
  enableTotp,
  makeRecoveryCodes,
  startPasskey,
  startTotp,
} from "@/app/dashboard/settings/security/actions";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/copy-button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { type Answer, useForm } from "@/components/ui/form/form-state";
import { ProveAgain, usePasskeys } from "@/components/ui/form/prove-again";
import { Notice } from "@/components/ui/notice";

interface StepsProps {
  close(): void;
  /** Shows recovery codes, which are shown only once. */
  show(codes: string[]): void;
}

interface FlowProps {
  /** The text of the button. If the text is not unique, `label` is the accessible name, which includes the object. */
  text: string;
  label?: string;
  title: string;
  hint?: string;
  isPrimary?: boolean;
  children(steps: StepsProps): ReactNode;
}

/** Renders a button and its dialog. The dialog shows recovery codes until the user confirms that they are stored. */
function Flow({ text, label, title, hint, isPrimary, children }: FlowProps) {
  const t = useTranslations("factors");
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const [codes, setCodes] = useState<string[] | null>(null);
  const close = () => {
    setOpen(false);
    setCodes(null);
    router.refresh();
  };
  return (
    <>
      <Button look={isPrimary ? "primary" : "secondary"} size="small" aria-label={label} onClick={() => setOpen(true)}>
        {text}
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={(open) => !open && close()}
        isHeld={codes !== null}
        title={codes ? t("recovery") : title}
        hint={codes ? undefined : hint}
      >
        {codes ? <Codes codes={codes} onDone={close} /> : children({ close, show: setCodes })}
      </Dialog>
    </>
  );
}

function Codes({ codes, onDone }: { codes: string[]; onDone(): void }) {
  const t = useTranslations("factors");
  return (
    <div className="grid gap-4">
      <Notice tone="warn">{t("recoveryHint")}</Notice>
      <CodeBlock text={codes.join("\n")} what={t("recovery")} />
      <DialogActions>
        <Button look="primary" onClick={onDone}>
          {t("done")}
        </Button>
      </DialogActions>
    </div>
  );
}

interface ProofFormProps<T> {
  action(form: FormData): Promise<Answer<T>>;
  onDone(ok: T): void;
  onCancel(): void;
  /** The text of the button. */
  submit: string;
  children?: ReactNode;
}

/** Renders a form that asks the user to confirm their identity, and then calls `action`. */
function ProofForm<T>({ action, onDone, onCancel, submit, children }: ProofFormProps<T>) {
  const t = useTranslations("factors");
  const form = useForm(action, onDone);
  return (
    <Form form={form}>
      {children}
      <ProveAgain />
      <DialogActions>
        <Button onClick={onCancel}>{t("cancel")}</Button>
        <Button type="submit" look="primary" isBusy={form.isBusy}>
          {submit}
        </Button>
      </DialogActions>
    </Form>
  );
}

/** Renders the setup of an authenticator app: confirmation of identity, QR code, first code and recovery codes. */
export function SetUpTotp() {
  const t = useTranslations("factors");
  const [started, setStarted] = useState<{ secret: string; uri: string } | null>(null);
  return (
    <Flow text={t("setUp")} label={`${t("setUp")}: ${t("app")}`} title={t("app")} isPrimary>
      {({ close, show }) =>
        started ? (
          <TypeCode {...started} onCancel={close} onDone={show} />
        ) : (
          <ProofForm action={startTotp} onDone={setStarted} onCancel={close} submit={t("goOn")} />
        )
      }
    </Flow>
  );
}

interface TypeCodeProps {
  secret: string;
  uri: string;
  onDone(codes: string[]): void;
  onCancel(): void;
}

function TypeCode({ secret, uri, onDone, onCancel }: TypeCodeProps) {
  const t = useTranslations("factors");
  const form = useForm(enableTotp, ({ codes }) => onDone(codes));
  return (
    <Form form={form}>
      <p>{t("scan")}</p>
      <div className="justify-self-center rounded-lg bg-white p-3">
        <QRCodeSVG value={uri} size={184} title={t("qr")} />
      </div>
      <div className="grid gap-1.5">
        <p className="text-[0.8125rem] text-ink-soft">{t("secretHint")}</p>
        <CodeBlock text={secret} what={t("secret")} />
      </div>
      <TextField
        label={t("code")}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        isMono
        error={form.errorOf("code")}
      />
      <DialogActions>
        <Button onClick={onCancel}>{t("cancel")}</Button>
        <Button type="submit" look="primary" isBusy={form.isBusy}>
          {t("activate")}
        </Button>
      </DialogActions>
    </Form>
  );
}

/** Renders the dialog that removes the authenticator app. */
export function RemoveTotp() {
  const t = useTranslations("factors");
  return (
    <Flow text={t("remove")} label={t("removeApp")} title={t("removeApp")} hint={t("removeAppHint")}>
      {({ close }) => (
        <ProofForm
          action={disableTotp}
          onDone={() => done(t("removed"), close)}
          onCancel={close}
          submit={t("remove")}
        />
      )}
    </Flow>
  );
}

/** Renders the dialog that creates new recovery codes. */
export function RenewCodes() {
  const t = useTranslations("factors");
  return (
    <Flow text={t("renew")} title={t("renew")} hint={t("renewHint")}>
      {({ close, show }) => (
        <ProofForm
          action={makeRecoveryCodes}
          onDone={({ codes }) => show(codes)}
          onCancel={close}
          submit={t("renew")}
        />
      )}
    </Flow>
  );
}

/** Renders the dialog that adds a passkey: the user confirms their identity, then the device creates the passkey. */
export function AddPasskey() {
  const t = useTranslations("factors");
  const canPasskey = usePasskeys();
  if (!canPasskey) return <span className="text-[0.8125rem] text-ink-soft">{t("passkeysNeed")}</span>;
  return (
    <Flow text={t("addPasskey")} title={t("addPasskey")} hint={t("passkeysHint")} isPrimary>
      {({ close, show }) => (
        <ProofForm
          action={(form) => makePasskey(form, t("passkeyStopped"))}
          onDone={({ codes }) => (codes ? show(codes) : done(t("passkeyAdded"), close))}
          onCancel={close}
          submit={t("goOn")}
        >
          <TextField label={t("passkeyName")} name="name" hint={t("passkeyNameHint")} autoComplete="off" />
        </ProofForm>
      )}
    </Flow>
  );
}

async function makePasskey(form: FormData, stopped: string): Promise<Answer<{ codes: string[] | null }>> {
  const asked = await startPasskey(form);
  if ("errors" in asked) return asked;
  const made = await startRegistration({ optionsJSON: asked.ok }).catch(() => null);
  if (!made) return { errors: [{ field: "", message: stopped }] };
  form.set("passkey", JSON.stringify(made));
  return addPasskey(form);
}

/** Renders the dialog that removes a passkey. */
export function RemovePasskey({ id, name }: { id: string; name: string }) {
  const t = useTranslations("factors");
  const title = t("removePasskey", { name });
  return (
    <Flow text={t("remove")} label={title} title={title} hint={t("removePasskeyHint")}>
      {({ close }) => (
        <ProofForm action={dropPasskey} onDone={() => done(t("removed"), close)} onCancel={close} submit={t("remove")}>
          <input type="hidden" name="id" value={id} />
        </ProofForm>
      )}
    </Flow>
  );
}

function done(message: string, close: () => void) {
  toast.success(message);
  close();
}
