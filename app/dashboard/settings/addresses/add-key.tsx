"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { toast } from "sonner";
import { addPublicKey, type KeyPreview } from "@/app/dashboard/settings/addresses/actions";
import type { NetworkChoice } from "@/app/dashboard/settings/addresses/address-fields";
import { ProveKey } from "@/app/dashboard/settings/addresses/prove-key";
import { Button } from "@/components/ui/button";
import { DialogActions } from "@/components/ui/dialog";
import { Choice, TextAreaField, TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { ProveAgain } from "@/components/ui/form/prove-again";
import { secretProblem } from "@/lib/domain/addresses/secret-forms";

export interface KeyFamily {
  family: "evm" | "tron";
  networks: readonly NetworkChoice[];
}

interface KeyFormProps {
  families: readonly KeyFamily[];
  defaultMax: number;
  onDone(): void;
}

/** Renders the form for the key and its networks, then its first addresses for comparison with the wallet. */
export function KeyForm({ families, defaultMax, onDone }: KeyFormProps) {
  const t = useTranslations("addresses");
  const [family, setFamily] = useState(families[0]?.family);
  const [isSecret, setSecret] = useState(false);
  const [preview, setPreview] = useState<KeyPreview | null>(null);
  const form = useForm(addPublicKey, (answer) => {
    if (answer.first.length > 0) return setPreview(answer);
    toast.success(t("keyDone"));
    onDone();
  });
  const isComparing = preview !== null;
  return (
    <Form form={form}>
      <div className={isComparing ? "hidden" : "grid gap-4"}>
        <FamilyFields
          families={families}
          family={family}
          onFamily={setFamily}
          networkError={form.errorOf("networks")}
        />
        {/* Input that looks like a secret has no name, so that no browser sends it. */}
        <TextAreaField
          label={t("key")}
          hint={t("keyFormHint")}
          {...(isSecret ? {} : { name: "xpub" })}
          isMono
          rows={3}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setSecret(secretProblem(event.target.value) !== null)}
          error={isSecret ? t("looksSecret") : form.errorOf("xpub")}
        />
        <TextField label={t("labelOptional")} name="label" autoComplete="off" error={form.errorOf("label")} />
        <TextField
          label={t("max")}
          hint={t("maxHint")}
          name="max"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={String(defaultMax)}
          error={form.errorOf("max")}
        />
      </div>
      {preview && family ? (
        <Comparison family={family} preview={preview} signatureError={form.errorOf("signature")} />
      ) : null}
      <DialogActions>
        <Button onClick={isComparing ? () => setPreview(null) : onDone}>
          {isComparing ? t("goBack") : t("cancel")}
        </Button>
        <Button type="submit" look="primary" isBusy={form.isBusy} disabled={isSecret}>
          {isComparing ? t("addKey") : t("showFirst")}
        </Button>
      </DialogActions>
    </Form>
  );
}

interface FamilyFieldsProps {
  families: readonly KeyFamily[];
  family: KeyFamily["family"] | undefined;
  onFamily(family: KeyFamily["family"]): void;
  networkError: string | undefined;
}

/** Renders the fields for the family of the key and for the networks that use its addresses. */
function FamilyFields({ families, family, onFamily, networkError }: FamilyFieldsProps) {
  const t = useTranslations("addresses");
  const networks = families.find((one) => one.family === family)?.networks ?? [];
  return (
    <>
      <fieldset className="grid gap-2.5">
        <legend className="mb-1.5 font-medium">{t("keyFamily")}</legend>
        {families.map((one) => (
          <Choice
            key={one.family}
            type="radio"
            name="family"
            value={one.family}
            defaultChecked={one.family === family}
            onChange={() => onFamily(one.family)}
            label={t(`families.${one.family}`)}
          />
        ))}
      </fieldset>
      <fieldset key={family} className="grid gap-2.5">
        <legend className="mb-1.5 font-medium">{t("keyNetworks")}</legend>
        {networks.map(({ id, title }) => (
          <Choice key={id} type="checkbox" name="networks" value={id} defaultChecked label={title} />
        ))}
        {networkError ? <p className="text-[0.8125rem] text-bad">{networkError}</p> : null}
      </fieldset>
    </>
  );
}

interface ComparisonProps {
  family: KeyFamily["family"];
  preview: KeyPreview;
  signatureError: string | undefined;
}

function Comparison({ family, preview, signatureError }: ComparisonProps) {
  const t = useTranslations("addresses");
  const { first, text, until } = preview;
  return (
    <section className="grid gap-3">
      <h3 className="font-medium">{t("compareTitle")}</h3>
      <p className="text-ink-soft">{t("compareHint")}</p>
      <ol className="grid gap-1.5 rounded-lg border border-line bg-raised p-3 font-mono text-[0.8125rem]">
        {first.map((address) => (
          <li key={address} className="[overflow-wrap:anywhere]">
            {address}
          </li>
        ))}
      </ol>
      <ProveKey family={family} text={text} until={until} address={first[0] ?? ""} error={signatureError} />
      <Choice type="checkbox" name="isCompared" value="true" required label={t("isCompared")} />
      <ProveAgain />
    </section>
  );
}
