"use client";

import { useTranslations } from "next-intl";
import { Choice, SelectField, TextAreaField } from "@/components/ui/form/field";
import { CALLBACK_FORMATS, type KeyFormat, type KeyRules, SCOPES, type Scope } from "@/lib/domain/keys/key-rules";

const SCOPE_TEXT = {
  "orders:create": "scopes.create",
  "orders:read": "scopes.read",
  "orders:cancel": "scopes.cancel",
  "events:read": "scopes.events",
  "refunds:create": "scopes.createRefunds",
  "refunds:read": "scopes.readRefunds",
  "links:create": "scopes.createLinks",
  "links:read": "scopes.readLinks",
  "transfers:read": "scopes.readTransfers",
  "reports:read": "scopes.readReports",
} as const satisfies Record<Scope, string>;

const FORMAT_TEXT = {
  standard: "formats.standard",
  "plugin-v1": "formats.plugin",
} as const satisfies Record<KeyFormat, string>;

interface RuleFieldsProps {
  rules: KeyRules;
  errorOf(field: string): string | undefined;
}

/** Renders the fields for the permissions of a key, its allowed IP addresses, and the callback format of its orders. */
export function RuleFields({ rules, errorOf }: RuleFieldsProps) {
  const t = useTranslations("apiKeys");
  const formats = CALLBACK_FORMATS.map((value) => ({ value, text: t(FORMAT_TEXT[value]) }));
  return (
    <>
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 font-medium">{t("mayDo")}</legend>
        <div className="grid gap-2 sm:grid-cols-2">
          {SCOPES.map((scope) => (
            <Choice
              key={scope}
              type="checkbox"
              name="scopes"
              value={scope}
              label={t(SCOPE_TEXT[scope])}
              defaultChecked={rules.scopes.includes(scope)}
            />
          ))}
        </div>
        {errorOf("scopes") ? <p className="text-[0.8125rem] text-bad">{errorOf("scopes")}</p> : null}
      </fieldset>
      <Choice
        type="checkbox"
        name="mustSign"
        label={t("mustSign")}
        hint={t("mustSignHint")}
        defaultChecked={rules.mustSign}
      />
      <TextAreaField
        label={t("cidrs")}
        name="cidrs"
        rows={2}
        isMono
        autoComplete="off"
        spellCheck={false}
        placeholder="203.0.113.0/24"
        defaultValue={rules.cidrs.join("\n")}
        hint={t("cidrsHint")}
        error={errorOf("cidrs")}
      />
      <SelectField
        label={t("callbackFormat")}
        name="callbackFormat"
        defaultValue={rules.callbackFormat}
        options={formats}
        error={errorOf("callbackFormat")}
      />
    </>
  );
}
