"use client";

import { useRouter } from "next/navigation";
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

/** Everything that can be done with a key, each with its window. */
export function KeyActions({ apiKey }: { apiKey: Key }) {
  const [task, setTask] = useState<Task | null>(null);
  const [issued, setIssued] = useState<Issued | null>(null);
  const router = useRouter();
  const close = () => {
    if (issued) router.refresh();
    setTask(null);
    setIssued(null);
  };
  const actions = [
    { text: "Rename", onPick: () => setTask("rename") },
    { text: "Change rules", onPick: () => setTask("change") },
    ...(apiKey.isDefault ? [] : [{ text: "Make default", onPick: () => setTask("default") }]),
    { text: "Events", onPick: () => setTask("events") },
    { text: "Send a test", onPick: () => setTask("test") },
    ...(apiKey.isRotated ? [] : [{ text: "Rotate", onPick: () => setTask("rotate") }]),
    { text: "Revoke", onPick: () => setTask("revoke"), isDangerous: true },
  ];
  return (
    <>
      <RowMenu what={apiKey.name} actions={actions} />
      <Dialog
        isOpen={task !== null}
        onOpenChange={(isOpen) => !isOpen && close()}
        isHeld={issued !== null}
        title={issued ? "Your new API key" : task ? TITLE[task](apiKey.name) : ""}
        hint={issued || !task ? undefined : HINT[task]}
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

const TITLE: Record<Task, (name: string) => string> = {
  rename: (name) => `Rename “${name}”`,
  change: (name) => `Rules of “${name}”`,
  default: (name) => `Make “${name}” the default`,
  events: (name) => `Events of “${name}”`,
  test: (name) => `Test callbacks of “${name}”`,
  rotate: (name) => `Rotate “${name}”`,
  revoke: (name) => `Revoke “${name}”`,
};

const HINT: Record<Task, string> = {
  rename: "The name is only for you; the key stays the same.",
  change:
    "What it may do and where it may come from holds within seconds; the callback format, for callbacks written from now on.",
  default:
    "Callbacks of orders that a person made, or whose own key was revoked, are written and signed by the default key.",
  events: "A confirmed payment is always told. What else shall your server hear of orders that this key made?",
  test: "An event of the type test goes to an address of yours, signed as callbacks of orders are that this key makes.",
  rotate: "You get a new key and secret. For the overlap the old ones work too, and callbacks carry both signatures.",
  revoke: "Requests with it are refused at once. This cannot be undone.",
};

const OVERLAPS = [
  { value: "0", text: "None: the old key ends now" },
  { value: "1", text: "1 hour" },
  { value: "24", text: "24 hours" },
  { value: "72", text: "3 days" },
  { value: "168", text: "7 days" },
];

function Rename({ apiKey, onDone }: { apiKey: Key; onDone(): void }) {
  return (
    <KeyForm apiKey={apiKey} action={renameKey} submit="Rename" onDone={onDone} onCancel={onDone}>
      {(errorOf) => (
        <TextField label="Name" name="name" autoComplete="off" defaultValue={apiKey.name} error={errorOf("name")} />
      )}
    </KeyForm>
  );
}

function Change({ apiKey, onDone }: { apiKey: Key; onDone(): void }) {
  return (
    <KeyForm apiKey={apiKey} action={changeKey} submit="Save" onDone={onDone} onCancel={onDone}>
      {(errorOf) => <RuleFields rules={apiKey.rules} errorOf={errorOf} />}
    </KeyForm>
  );
}

function MakeDefault({ apiKey, onDone }: { apiKey: Key; onDone(): void }) {
  return (
    <KeyForm apiKey={apiKey} action={makeDefault} submit="Make default" onDone={onDone} onCancel={onDone}>
      {() => null}
    </KeyForm>
  );
}

const EVENTS: Readonly<Record<OptInType, string>> = {
  "payment.detected": "The amount has arrived and is not final yet",
  "payment.underpaid": "Less than the amount has arrived",
  "payment.overpaid": "More than the amount was confirmed",
  "payment.reversed": "The chain took a payment back that was told before",
  "order.expired": "Its time is over without a payment",
  "order.cancelled": "It was cancelled",
};

function Events({ apiKey, onDone }: { apiKey: Key; onDone(): void }) {
  const finish = () => {
    toast.success(`The events of “${apiKey.name}” are chosen`);
    onDone();
  };
  return (
    <KeyForm apiKey={apiKey} action={chooseKeyEvents} submit="Save" onDone={finish} onCancel={onDone}>
      {() => (
        <fieldset className="grid gap-2">
          <legend className="sr-only">Events</legend>
          {OPT_IN_TYPES.map((type) => (
            <Choice
              key={type}
              type="checkbox"
              name="types"
              value={type}
              label={type}
              hint={EVENTS[type]}
              defaultChecked={apiKey.optIns.includes(type)}
            />
          ))}
        </fieldset>
      )}
    </KeyForm>
  );
}

function TestCallbacks({ apiKey, onDone }: { apiKey: Key; onDone(): void }) {
  const [outcome, setOutcome] = useState<TestOutcome | null>(null);
  return (
    <>
      <KeyForm apiKey={apiKey} action={testCallbacks} submit="Send" onDone={setOutcome} onCancel={onDone}>
        {(errorOf) => (
          <TextField
            label="Address"
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
          <p className={outcome.isAcknowledged ? "text-good" : "text-bad"}>{outcome.words}</p>
          {outcome.answer ? (
            <pre className="overflow-x-auto whitespace-pre-wrap break-all">{outcome.answer}</pre>
          ) : null}
        </div>
      ) : null}
    </>
  );
}

function Rotate({ apiKey, onDone, onCancel }: { apiKey: Key; onDone(issued: Issued): void; onCancel(): void }) {
  return (
    <KeyForm apiKey={apiKey} action={rotateKey} submit="Rotate" onDone={onDone} onCancel={onCancel}>
      {(errorOf) => (
        <SelectField
          label="Overlap"
          name="overlapHours"
          defaultValue="24"
          options={OVERLAPS}
          hint="How long your servers have to change over."
          error={errorOf("overlapHours")}
        />
      )}
    </KeyForm>
  );
}

function Revoke({ apiKey, onDone }: { apiKey: Key; onDone(): void }) {
  const finish = () => {
    toast.success(`“${apiKey.name}” is revoked`);
    onDone();
  };
  return (
    <KeyForm apiKey={apiKey} action={revokeKey} submit="Revoke key" isDangerous onDone={finish} onCancel={onDone}>
      {(errorOf) => (
        <>
          <input type="hidden" name="expectedName" value={apiKey.name} />
          <TextField
            label={`Type “${apiKey.name}” to confirm`}
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
  const form = useForm(action, onDone);
  return (
    <Form form={form}>
      <input type="hidden" name="id" value={apiKey.id} />
      {children(form.errorOf)}
      <ProveAgain />
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look={isDangerous ? "danger" : "primary"} isBusy={form.isBusy}>
          {submit}
        </Button>
      </DialogActions>
    </Form>
  );
}
