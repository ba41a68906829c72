"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { PATHS, TERMS } from "@/components/dashboard/plugins/known-plugins";
import { type Material, WhatToType } from "@/components/dashboard/plugins/what-to-type";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { DialogActions } from "@/components/ui/dialog";
import { Choice } from "@/components/ui/form/field";
import { Notice } from "@/components/ui/notice";

interface IssuedKeyProps {
  material: Required<Material>;
  onDone(): void;
}

/** Shows what is typed into a plugin, its key this once; it ends when the person says that it is kept. */
export function IssuedKey({ material, onDone }: IssuedKeyProps) {
  const t = useTranslations("plugins");
  const [isKept, setKept] = useState(false);
  const { dialect, url, publicId, key } = material;
  const terms = TERMS[dialect];
  return (
    <div className="grid gap-4">
      <Notice tone="warn">{t("copyNow")}</Notice>
      <Shown name={terms.url} text={PATHS[dialect].endsWith("/") ? `${url}/` : url} />
      <Shown name={terms.id} text={publicId} />
      <Shown name={terms.key} text={key} />
      <details>
        <summary className="w-fit rounded font-medium text-ink-soft hover:text-ink">{t("whatToType")}</summary>
        <div className="mt-3">
          <WhatToType material={material} />
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

function Shown({ name, text }: { name: string; text: string }) {
  return (
    <div className="grid gap-1">
      <div className="flex items-center justify-between gap-2">
        <span className="font-medium">{name}</span>
        <CopyButton text={text} what={name} isWide />
      </div>
      <code className="select-all break-all rounded-lg border border-line bg-sunken px-3 py-2 font-mono text-[0.8125rem]">
        {text}
      </code>
    </div>
  );
}
