import { Card } from "@/components/ui/card";
import type { Pool } from "@/lib/domain/addresses/load";
import { getNetwork } from "@/lib/domain/networks";

const STATES = ["idle", "serving", "resting", "paused"] as const;
const WORDS: Readonly<Record<(typeof STATES)[number], string>> = {
  idle: "idle",
  serving: "with an order",
  resting: "resting",
  paused: "paused",
};

/** How the dedicated addresses of each network are busy; nothing where there are none. */
export function PoolPanel({ pools }: { pools: readonly Pool[] }) {
  if (pools.length === 0) return null;
  return (
    <Card title="Dedicated addresses" hint="Idle ones are used before shared ones." className="mb-4">
      <ul className="grid gap-2 sm:grid-cols-2">
        {pools.map((pool) => (
          <li key={pool.network} className="min-w-0">
            <p className="font-medium">{getNetwork(pool.network).name}</p>
            <p className="text-[0.8125rem] text-ink-soft tabular-nums">
              {STATES.filter((state) => state === "idle" || pool[state] > 0)
                .map((state) => `${pool[state].toLocaleString("en")} ${WORDS[state]}`)
                .join(" · ")}
            </p>
            {pool.idle === 0 ? (
              <p className="text-[0.8125rem] text-warn">
                None is free: orders use shared addresses, where there are any.
              </p>
            ) : null}
          </li>
        ))}
      </ul>
    </Card>
  );
}
