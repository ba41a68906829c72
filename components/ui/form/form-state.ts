"use client";

import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";
import { useLocale, useTranslations } from "next-intl";
import { createContext, type FormEvent, useContext, useState, useTransition } from "react";
import { toast } from "sonner";
import { type FieldMessage, problemMessages } from "@/components/messages/problem-message";
import type { FieldError } from "@/lib/domain/problems/problem";

/** The result of a server action, or the errors of the form's fields. The field "" is the form itself. */
export type Answer<T> = { ok: T } | { errors: (FieldError | FieldMessage)[] };

/**
 * The fields that every form below sends in addition to its own. They contain the shop that the page shows, because a different window may
 * have switched shops.
 */
export const FormScope = createContext<Readonly<Record<string, string>>>({});

/** The options for confirming a user's identity. `askPasskey` requests the options for a passkey. */
export interface ProofWays {
  hasTotp: boolean;
  hasPasskey: boolean;
  /** True if the shop requires second factors, so that payment decisions must be confirmed as well. */
  isForPayments: boolean;
  askPasskey: ((form: FormData) => Promise<Answer<PublicKeyCredentialRequestOptionsJSON>>) | null;
}

export const ProofScope = createContext<ProofWays>({
  hasTotp: false,
  hasPasskey: false,
  isForPayments: false,
  askPasskey: null,
});

/** The errors of the surrounding form's fields. */
export const FormErrors = createContext<FormState["errorOf"]>(() => undefined);

/** The state of a form that a user fills in and submits. */
export interface FormState {
  isBusy: boolean;
  submit(event: FormEvent<HTMLFormElement>): void;
  /** Returns the error of a field, if any. */
  errorOf(field: string): string | undefined;
  clear(): void;
}

/**
 * Returns the state of a form that is sent to a server action. The form keeps its input. `onDone` receives the result of a successful
 * action.
 */
export function useForm<T>(action: (form: FormData) => Promise<Answer<T>>, onDone: (ok: T) => void): FormState {
  const t = useTranslations("ui");
  const language = useLocale();
  const [errors, setErrors] = useState<FieldMessage[]>([]);
  const [isBusy, startTransition] = useTransition();
  const scope = useContext(FormScope);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    for (const [name, value] of Object.entries(scope)) data.set(name, value);
    startTransition(async () => {
      const answer = await action(data).catch(() => null);
      if (!answer) return void toast.error(t("unreachable"));
      if ("ok" in answer) {
        setErrors([]);
        return onDone(answer.ok);
      }
      setErrors(await problemMessages(language, answer.errors));
      focusFirst(form, answer.errors);
    });
  };
  const errorOf = (field: string) => errors.find((error) => error.field === field)?.message;
  return { isBusy, submit, errorOf, clear: () => setErrors([]) };
}

function focusFirst(form: HTMLFormElement, errors: readonly { field: string }[]) {
  const field = errors.find((error) => error.field)?.field;
  const control = field ? form.elements.namedItem(field) : null;
  if (control instanceof HTMLElement) control.focus();
}
