"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { SelectField } from "@/components/ui/form/field";
import type { IntegrationView } from "@/lib/domain/integrations/integration";

/** The values to enter in a plugin, without the key once it is no longer shown. */
export interface Material {
  integration: IntegrationView;
  /** The URL without a trailing slash. */
  url: string;
  publicId: string;
  key?: string | undefined;
  /** The public key with which the shop verifies signatures of this service; only for a key pair. */
  platformKey?: string | undefined;
}

/** Renders the form fields of a plugin, each with the value to enter. */
export function PluginFields({ material }: { material: Material }) {
  const t = useTranslations("plugins");
  const { forms } = material.integration;
  const [chosen, setChosen] = useState("0");
  const fields = forms[Number(chosen)]?.fields ?? [];
  return (
    <div className="grid gap-3">
      <SelectField
        label={t("plugin")}
        options={forms.map(({ name }, at) => ({ value: String(at), text: name }))}
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
      <dl className="grid gap-x-4 gap-y-2.5 rounded-lg border border-line bg-sunken px-3.5 py-3 sm:grid-cols-[max-content_minmax(0,1fr)]">
        {fields.map(({ label, value }) => (
          <div key={label} className="grid min-w-0 sm:col-span-2 sm:grid-cols-subgrid sm:items-center">
            <dt className="text-[0.8125rem] text-ink-soft">{label}</dt>
            <dd className="min-w-0">
              <Typed what={label} text={fill(value, material)} keyTerm={material.integration.terms.key} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** Renders a value to enter; null stands for the key, which is no longer shown. */
function Typed({ what, text, keyTerm }: { what: string; text: string | null; keyTerm: string }) {
  const t = useTranslations("plugins");
  if (text === null) return <span className="text-ink-soft">{t("keyHere", { key: keyTerm })}</span>;
  return (
    <span className="flex min-w-0 items-center justify-between gap-2">
      <code className="min-w-0 select-all break-all font-mono text-[0.8125rem]">{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  );
}

function fill(value: string, { url, publicId, key, platformKey }: Material): string | null {
  if (value === "{key}" && key === undefined) return null;
  return value
    .replace("{url}", url)
    .replace("{id}", publicId)
    .replace("{key}", key ?? "")
    .replace("{platform_key}", platformKey ?? "");
}
