"use client";

import { Choice, SelectField, TextAreaField } from "@/components/ui/form/field";
import { CALLBACK_FORMATS, type CallbackFormat, type KeyRules, SCOPES, type Scope } from "@/lib/domain/keys/key-rules";

const SCOPE_TEXT: Record<Scope, string> = {
  "orders:create": "Create orders",
  "orders:read": "Read orders",
  "orders:cancel": "Cancel orders",
  "events:read": "Read events",
};

const FORMAT_TEXT: Record<CallbackFormat, string> = {
  standard: "Standard",
  "plugin-v1": "Plugin v1, for shop plugins of the hosted service",
};

const FORMATS = CALLBACK_FORMATS.map((value) => ({ value, text: FORMAT_TEXT[value] }));

interface RuleFieldsProps {
  rules: KeyRules;
  errorOf(field: string): string | undefined;
}

/** What a key may do, where it may come from, and how callbacks of its orders are written. */
export function RuleFields({ rules, errorOf }: RuleFieldsProps) {
  return (
    <>
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 font-medium">What it may do</legend>
        <div className="grid gap-2 sm:grid-cols-2">
          {SCOPES.map((scope) => (
            <Choice
              key={scope}
              type="checkbox"
              name="scopes"
              value={scope}
              label={SCOPE_TEXT[scope]}
              defaultChecked={rules.scopes.includes(scope)}
            />
          ))}
        </div>
        {errorOf("scopes") ? <p className="text-[0.8125rem] text-bad">{errorOf("scopes")}</p> : null}
      </fieldset>
      <Choice
        type="checkbox"
        name="mustSign"
        label="Require signed requests"
        hint="Requests with the key alone are then refused; each must be signed with the secret."
        defaultChecked={rules.mustSign}
      />
      <TextAreaField
        label="Allowed IP addresses"
        name="cidrs"
        rows={2}
        isMono
        autoComplete="off"
        spellCheck={false}
        placeholder="203.0.113.0/24"
        defaultValue={rules.cidrs.join("\n")}
        hint="Addresses or ranges of your servers, one a line. Empty: from anywhere."
        error={errorOf("cidrs")}
      />
      <SelectField
        label="Callback format"
        name="callbackFormat"
        defaultValue={rules.callbackFormat}
        options={FORMATS}
        error={errorOf("callbackFormat")}
      />
    </>
  );
}
