import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Card } from "@/components/ui/card";
import { getNetwork } from "@/lib/domain/networks";

interface PublicKeyFacts {
  id: string;
  label: string;
  networks: readonly string[];
  derived: number;
  max: number;
  used: number;
  /** The time of the proof of ownership; null if the key's addresses were compared visually. */
  provedAt: Date | null;
}

interface KeyPanelProps<T extends PublicKeyFacts> {
  keys: readonly T[];
  actionFor(key: T): ReactNode;
}

/** Renders the extended public keys from which addresses for orders are derived. Renders nothing if there are no keys. */
export function KeyPanel<T extends PublicKeyFacts>({ keys, actionFor }: KeyPanelProps<T>) {
  const t = useTranslations("addresses");
  if (keys.length === 0) return null;
  return (
    <Card title={t("keys")} hint={t("keysHint")} className="mb-4">
      <ul className="grid gap-3">
        {keys.map((key) => (
          <li key={key.id} className="flex items-start justify-between gap-3">
            <div className="min-w-0">
              <p className="truncate font-medium">{key.label || t("unnamedKey")}</p>
              <p className="text-[0.8125rem] text-ink-soft">
                {key.networks.map((id) => getNetwork(id).name).join(" · ")}
              </p>
              <p className="text-[0.8125rem] text-ink-soft tabular-nums">
                {t("keyFacts", { derived: key.derived, max: key.max, used: key.used })}
              </p>
              <p className="text-[0.8125rem] text-ink-soft">{t(key.provedAt ? "proved" : "compared")}</p>
            </div>
            {actionFor(key)}
          </li>
        ))}
      </ul>
    </Card>
  );
}
