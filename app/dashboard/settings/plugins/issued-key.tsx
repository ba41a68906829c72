"use client";

import { useTranslations } from "next-intl";
import { ShownOnce } from "@/components/dashboard/api-keys/shown-once";
import { type Material, PluginFields } from "@/components/dashboard/plugins/what-to-type";

interface IssuedKeyProps {
  material: Material & { key: string };
  onDone(): void;
}

/** Renders the values to enter in a plugin, and the key, which is shown only once. */
export function IssuedKey({ material, onDone }: IssuedKeyProps) {
  const t = useTranslations("plugins");
  const { integration, url, publicId, key, platformKey } = material;
  const { terms, path } = integration;
  const shown: { name: string; text: string; hint?: string }[] = [
    { name: terms.url, text: path.endsWith("/") ? `${url}/` : url },
    { name: terms.id, text: publicId },
    { name: terms.key, text: key },
  ];
  if (platformKey) shown.push({ name: terms.platformKey ?? "", text: platformKey, hint: t("platformKeyHint") });
  const labels = {
    warning: t("copyNow", { key: terms.key }),
    stored: t("stored", { key: terms.key }),
    done: t("done"),
  };
  return (
    <ShownOnce shown={shown} labels={labels} onDone={onDone}>
      <details>
        <summary className="w-fit rounded font-medium text-ink-soft hover:text-ink">{t("whatToType")}</summary>
        <div className="mt-3">
          <PluginFields material={material} />
        </div>
      </details>
    </ShownOnce>
  );
}
