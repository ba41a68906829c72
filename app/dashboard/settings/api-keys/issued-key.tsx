"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { CodeBlock, CopyButton } from "@/components/ui/copy-button";
import { DialogActions } from "@/components/ui/dialog";
import { Choice } from "@/components/ui/form/field";
import { Notice } from "@/components/ui/notice";

export interface Issued {
  apiKey: string;
  secret: string;
}

/** Shows a key and its secret, this once; it ends when the person says that both are kept. */
export function IssuedKey({ apiKey, secret, onDone }: Issued & { onDone(): void }) {
  const t = useTranslations("apiKeys");
  const [isKept, setKept] = useState(false);
  const env = `STABLEGATE_API_KEY=${apiKey}\nSTABLEGATE_SECRET=${secret}`;
  return (
    <div className="grid gap-4">
      <Notice tone="warn">{t("copyBoth")}</Notice>
      <Shown name={t("apiKey")} text={apiKey} hint={t("apiKeyHint")} />
      <Shown name={t("secret")} text={secret} hint={t("secretHint")} />
      <details>
        <summary className="w-fit rounded font-medium text-ink-soft hover:text-ink">{t("forEnv")}</summary>
        <div className="mt-2">
          <CodeBlock text={env} what={t("envLines")} />
        </div>
      </details>
      <Choice
        type="checkbox"
        label={t("stored")}
        checked={isKept}
        onChange={(event) => setKept(event.currentTarget.checked)}
      />
      <DialogActions>
        <Button look="primary" disabled={!isKept} onClick={onDone}>
          {t("done")}
        </Button>
      </DialogActions>
    </div>
  );
}

function Shown({ name, text, hint }: { name: string; text: string; hint: string }) {
  return (
    <div className="grid gap-1">
      <div className="flex items-center justify-between gap-2">
        <span className="font-medium">{name}</span>
        <CopyButton text={text} what={name} isWide />
      </div>
      <code className="select-all break-all rounded-lg border border-line bg-sunken px-3 py-2 font-mono text-[0.8125rem]">
        {text}
      </code>
      <p className="text-[0.8125rem] text-ink-soft">{hint}</p>
    </div>
  );
}
