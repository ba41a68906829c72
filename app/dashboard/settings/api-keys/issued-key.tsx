"use client";

import { useTranslations } from "next-intl";
import { ShownOnce } from "@/components/dashboard/api-keys/shown-once";
import { CodeBlock } from "@/components/ui/copy-button";

export interface Issued {
  apiKey: string;
  secret: string;
}

/** Renders a key and its secret, which are shown only once. */
export function IssuedKey({ apiKey, secret, onDone }: Issued & { onDone(): void }) {
  const t = useTranslations("apiKeys");
  const env = `STABLEGATE_API_KEY=${apiKey}\nSTABLEGATE_SECRET=${secret}`;
  const shown = [
    { name: t("apiKey"), text: apiKey, hint: t("apiKeyHint") },
    { name: t("secret"), text: secret, hint: t("secretHint") },
  ];
  const labels = { warning: t("copyBoth"), stored: t("stored"), done: t("done") };
  return (
    <ShownOnce shown={shown} labels={labels} onDone={onDone}>
      <details>
        <summary className="w-fit rounded font-medium text-ink-soft hover:text-ink">{t("forEnv")}</summary>
        <div className="mt-2">
          <CodeBlock text={env} what={t("envLines")} />
        </div>
      </details>
    </ShownOnce>
  );
}
