import Link from "next/link";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { getNetwork } from "@/lib/domain/networks";

interface TreasuryFacts {
  id: string;
  label: string;
  networks: readonly string[];
  derived: number;
  max: number;
  used: number;
}

interface TreasuryPanelProps<T extends TreasuryFacts> {
  treasuries: readonly T[];
  actionFor(treasury: T): ReactNode;
}

/** Renders the treasuries that receivers pay, with the networks that use them. Renders nothing if there are no treasuries. */
export function TreasuryPanel<T extends TreasuryFacts>({ treasuries, actionFor }: TreasuryPanelProps<T>) {
  const t = useTranslations("receivers");
  if (treasuries.length === 0) return null;
  return (
    <Card title={t("panel")} hint={t("panelHint")} className="mb-4">
      <ul className="grid gap-4">
        {treasuries.map((treasury) => (
          <li key={treasury.id} className="flex flex-wrap items-start justify-between gap-3">
            <div className="min-w-0 flex-1 basis-52">
              <p className="truncate font-medium">{treasury.label || t("unnamed")}</p>
              <p className="text-[0.8125rem] text-ink-soft">
                {treasury.networks.length > 0
                  ? t("on", { networks: treasury.networks.map((id) => getNetwork(id).name).join(" · ") })
                  : t("onNone")}
              </p>
              <p className="text-[0.8125rem] text-ink-soft tabular-nums">{t("facts", treasury)}</p>
            </div>
            <div className="flex items-center gap-1">
              <Button asChild size="small">
                <Link href={`/dashboard/settings/addresses/receivers/${treasury.id}`}>{t("try")}</Link>
              </Button>
              {actionFor(treasury)}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
