import { useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";
import type { Pool } from "@/lib/domain/addresses/load";
import { getNetwork } from "@/lib/domain/networks";

const STATES = ["idle", "serving", "coolingDown", "paused"] as const;

/** Renders the utilization of the dedicated addresses of each network. Renders nothing if there are no dedicated addresses. */
export function PoolPanel({ pools }: { pools: readonly Pool[] }) {
  const t = useTranslations("addresses");
  if (pools.length === 0) return null;
  return (
    <Card title={t("pools")} hint={t("poolsHint")} className="mb-4">
      <ul className="grid gap-2 sm:grid-cols-2">
        {pools.map((pool) => (
          <li key={pool.network} className="min-w-0">
            <p className="font-medium">{getNetwork(pool.network).name}</p>
            <p className="text-[0.8125rem] text-ink-soft tabular-nums">
              {STATES.filter((state) => state === "idle" || pool[state] > 0)
                .map((state) => t(`pool.${state}`, { count: pool[state] }))
                .join(" · ")}
            </p>
            {pool.idle === 0 ? <p className="text-[0.8125rem] text-warn">{t("noneFree")}</p> : null}
          </li>
        ))}
      </ul>
    </Card>
  );
}
