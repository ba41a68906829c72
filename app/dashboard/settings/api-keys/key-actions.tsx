"use client";

import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { toast } from "sonner";
import {
  changeKey,
  chooseKeyEvents,
  makeDefault,
  renameKey,
  revokeKey,
  rotateKey,
  testCallbacks,
} from "@/app/dashboard/settings/api-keys/actions";
import { type Issued, IssuedKey } from "@/app/dashboard/settings/api-keys/issued-key";
import { RuleFields } from "@/app/dashboard/settings/api-keys/rule-fields";
import { problemMessage } from "@/components/messages/problem-message";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Choice, SelectField, TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { type Answer, useForm } from "@/components/ui/form/form-state";
import { ProveAgain } from "@/components/ui/form/prove-again";
import { RowMenu } from "@/components/ui/row-menu";
import type { TestOutcome } from "@/lib/callbacks/send-test-event";
import { type KeyRules, OPT_IN_TYPES, type OptInType } from "@/lib/domain/keys/key-rules";

interface Key {
  id: string;
  name: string;
  isRotated: boolean;
  isDefault: boolean;
  rules: KeyRules;
  optIns: readonly OptInType[];
}

type Task = "rename" | "change" | "events" | "test" | "default" | "rotate" | "revoke";

/** Renders the actions of a key, each with its dialog. */
export function KeyActions({ apiKey }: { apiKey: Key }) {
  const t = useTranslations("apiKeys");
  const [task, setTask] = useState<Task | null>(null);
  const [issued, setIssued] = useState<Issued | null>(null);
  const router = useRouter();
  const close = () => {
    if (issued) router.refresh();
    setTask(null);
    setIssued(null);
  };
  const actions = [
    { text: t("rename"), onPick: () => setTask("rename") },
    { text: t("change"), onPick: () => setTask("change") },
    ...(apiKey.isDefault ? [] : [{ text: t("default"), onPick: () => setTask("default") }]),
    { text: t("events"), onPick: () => setTask("events") },
    { text: t("test"), onPick: () => setTask("test") },
    ...(apiKey.isRotated ? [] : [{ text: t("rotate"), onPick: () => setTask("rotate") }]),
    { text: t("revoke"), onPick: () => setTask("revoke"), isDangerous: true },
  ];
  return (
    <>
      <RowMenu what={apiKey.name} actions={actions} />
      <Dialog
        isOpen={task !== null}
        onOpenChange={(isOpen) => !isOpen && close()}
        isHeld={issued !== null}
        title={issued ? t("yourNew") : task ? t(`${task}Title`, { name: apiKey.name }) : ""}
        hint={issued || !task ? undefined : t(`${task}Hint`)}
      >
        {issued ? <IssuedKey {...issued} onDone={close} /> : null}
        {task === "rename" ? <Rename apiKey={apiKey} onDone={close} /> : null}
        {task === "change" ? <Change apiKey={apiKey} onDone={close} /> : null}
        {task === "default" ? <MakeDefault apiKey={apiKey} onDone={close} /> : null}
        {task === "events" ? <Events apiKey={apiKey} onDone={close} /> : null}
        {task === "test" ? <TestCallbacks apiKey={apiKey} onDone={close} /> : null}
        {task === "rotate" && !issued ? <Rotate apiKey={apiKey} onDone={setIssued} onCancel={close} /> : null}
        {task === "revoke" ? <Revoke apiKey={apiKey} onDone={close} /> : null}
      </Dialog>
    </>
  );
}

function Rename({ apiKey, onDone }: { apiKey: Key; onDone(): void }) {
  const t = useTranslations("apiKeys");
  return (
    <KeyForm apiKey={apiKey} action={renameKey} submit={t("rename")} onDone={onDone} onCancel={onDone}>
      {(errorOf) => (
        <TextField
          label={t("name")}
          name="name"
          autoComplete="off"
          defaultValue={apiKey.name}
          error={errorOf("name")}
        />
      )}
    </KeyForm>
  );
}

function Change({ apiKey, onDone }: { apiKey: Key; onDone(): void }) {
  const t = useTranslations("apiKeys");
  return (
    <KeyForm apiKey={apiKey} action={changeKey} submit={t("save")} onDone={onDone} onCancel={onDone}>
      {(errorOf) => (
        <>
          <RuleFields rules={apiKey.rules} errorOf={errorOf} />
          <Choice
            type="checkbox"
            name="isForPlugin"
            label={t("isForPlugin")}
            hint={t("isForPluginHint")}
            defaultChecked={apiKey.rules.isForPlugin}
          />
          <Choice
            type="checkbox"
            name="isForAgents"
            label={t("isForAgents")}
            hint={t("isForAgentsHint")}
            defaultChecked={apiKey.rules.isForAgents}
          />
        </>
      )}
    </KeyForm>
  );
}

function MakeDefault({ apiKey, onDone }: { apiKey: Key; onDone(): void }) {
  const t = useTranslations("apiKeys");
  return (
    <KeyForm apiKey={apiKey} action={makeDefault} submit={t("default")} onDone={onDone} onCancel={onDone}>
      {() => null}
    </KeyForm>
  );
}

const EVENT_TEXT = {
  "payment.detected": "optIns.detected",
  "payment.underpaid": "optIns.underpaid",
  "payment.overpaid": "optIns.overpaid",
  "payment.reversed": "optIns.reversed",
  "payment.claimed": "optIns.claimed",
  "order.expired": "optIns.expired",
  "order.cancelled": "optIns.cancelled",
  "deposit.confirmed": "optIns.deposit",
  "deposit.reversed": "optIns.depositReversed",
  "refund.completed": "optIns.refund",
} as const satisfies Record<OptInType, string>;

function Events({ apiKey, onDone }: { apiKey: Key; onDone(): void }) {
  const t = useTranslations("apiKeys");
  const finish = () => {
    toast.success(t("eventsDone", { name: apiKey.name }));
    onDone();
  };
  return (
    <KeyForm apiKey={apiKey} action={chooseKeyEvents} submit={t("save")} onDone={finish} onCancel={onDone}>
      {() => (
        <fieldset className="grid gap-2">
          <legend className="sr-only">{t("events")}</legend>
          {OPT_IN_TYPES.map((type) => (
            <Choice
              key={type}
              type="checkbox"
              name="types"
              value={type}
              label={type}
              hint={t(EVENT_TEXT[type])}
              defaultChecked={apiKey.optIns.includes(type)}
            />
          ))}
        </fieldset>
      )}
    </KeyForm>
  );
}

function TestCallbacks({ apiKey, onDone }: { apiKey: Key; onDone(): void }) {
  const t = useTranslations("apiKeys");
  const [outcome, setOutcome] = useState<(TestOutcome & { message: string }) | null>(null);
  const language = useLocale();
  const show = async (arrived: TestOutcome) =>
    setOutcome({ ...arrived, message: await problemMessage(language, arrived.result) });
  return (
    <>
      <KeyForm apiKey={apiKey} action={testCallbacks} submit={t("send")} onDone={show} onCancel={onDone}>
        {(errorOf) => (
          <TextField
            label={t("address")}
            name="url"
            type="url"
            autoComplete="off"
            placeholder="https://shop.example.com/paid"
            error={errorOf("url")}
          />
        )}
      </KeyForm>
      {outcome ? (
        <div role="status" className="mt-4 grid gap-2 text-sm">
          <p className={outcome.isAcknowledged ? "text-good" : "text-bad"}>{outcome.message}</p>
          {outcome.answer ? (
            <pre className="overflow-x-auto whitespace-pre-wrap break-all">{outcome.answer}</pre>
          ) : null}
        </div>
      ) : null}
    </>
  );
}

function Rotate({ apiKey, onDone, onCancel }: { apiKey: Key; onDone(issued: Issued): void; onCancel(): void }) {
  const t = useTranslations("apiKeys");
  const overlaps = [
    { value: "0", text: t("noOverlap") },
    ...[1, 24].map((hours) => ({ value: String(hours), text: t("overlapHours", { hours }) })),
    ...[3, 7].map((days) => ({ value: String(days * 24), text: t("overlapDays", { days }) })),
  ];
  return (
    <KeyForm apiKey={apiKey} action={rotateKey} submit={t("rotate")} onDone={onDone} onCancel={onCancel}>
      {(errorOf) => (
        <SelectField
          label={t("overlap")}
          name="overlapHours"
          defaultValue="24"
          options={overlaps}
          hint={t("overlapHint")}
          error={errorOf("overlapHours")}
        />
      )}
    </KeyForm>
  );
}

function Revoke({ apiKey, onDone }: { apiKey: Key; onDone(): void }) {
  const t = useTranslations("apiKeys");
  const finish = () => {
    toast.success(t("revokeDone", { name: apiKey.name }));
    onDone();
  };
  return (
    <KeyForm apiKey={apiKey} action={revokeKey} submit={t("revokeNow")} isDangerous onDone={finish} onCancel={onDone}>
      {(errorOf) => (
        <>
          <input type="hidden" name="expectedName" value={apiKey.name} />
          <TextField
            label={t("typeName", { name: apiKey.name })}
            name="typedName"
            autoComplete="off"
            error={errorOf("typedName")}
          />
        </>
      )}
    </KeyForm>
  );
}

interface KeyFormProps<T> {
  apiKey: Key;
  action(form: FormData): Promise<Answer<T>>;
  submit: string;
  isDangerous?: boolean;
  onDone(ok: T): void;
  onCancel(): void;
  children(errorOf: (field: string) => string | undefined): ReactNode;
}

function KeyForm<T>({ apiKey, action, submit, isDangerous, onDone, onCancel, children }: KeyFormProps<T>) {
  const t = useTranslations("apiKeys");
  const form = useForm(action, onDone);
  return (
    <Form form={form}>
      <input type="hidden" name="id" value={apiKey.id} />
      {children(form.errorOf)}
      <ProveAgain />
      <DialogActions>
        <Button onClick={onCancel}>{t("cancel")}</Button>
        <Button type="submit" look={isDangerous ? "danger" : "primary"} isBusy={form.isBusy}>
          {submit}
        </Button>
      </DialogActions>
    </Form>
  );
}
