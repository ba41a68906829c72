import { useTranslations } from "next-intl";
import type { Translate } from "@/components/messages/translate";
import { Badge, type Tone } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { cn } from "@/components/ui/class-names";
import { Time } from "@/components/ui/time";
import { getNetwork } from "@/lib/domain/networks";
import type { EndpointUse } from "@/lib/domain/networks/budget";
import { type EndpointHealth, recentErrors } from "@/lib/domain/networks/health";
import type { NetworkChange } from "@/lib/domain/networks/override";

export interface NetworkHealth {
  network: string;
  height: number | null;
  blockTime: Date | null;
  headHeight: number | null;
  respondedAt: Date | null;
  /** The time at which the operator closed the network; null while it is open. */
  closedAt: Date | null;
  problem: string | null;
  /** A human-readable warning that does not prevent the network from accepting orders; null if there is none. */
  warning: string | null;
  /** The number of transactions of watched accounts that no endpoint returns. */
  unreadable: number;
  endpoints: readonly EndpointHealth[];
  /** The requests made to the network's endpoints today. */
  uses: readonly EndpointUse[];
}

/** The time without a response from any endpoint after which a network counts as silent. Dormant networks are read every minute. */
const SILENT_MS = 120_000;
const BEHIND_BLOCKS = 50;
/** The time without a further error after which the errors of an endpoint are no longer shown. */
const RESOLVED_MS = 300_000;

interface NetworkPanelProps {
  networks: readonly NetworkHealth[];
  /** The differences between the networks of this installation and the networks of the release. */
  changes: readonly NetworkChange[];
  now: Date;
}

/** Renders the read position of each network, and the operator's changes to it. */
export function NetworkPanel({ networks, changes, now }: NetworkPanelProps) {
  const t = useTranslations("networks");
  return (
    <Card title={<span id="networks">{t("title")}</span>} isFlush>
      <ul className="divide-y divide-line border-line border-t">
        {networks.map((health) => (
          <li key={health.network} className="grid gap-1 px-4 py-3 sm:px-5">
            <div className="flex items-center justify-between gap-3">
              <span className="font-medium">{getNetwork(health.network).name}</span>
              <Health health={health} now={now} />
            </div>
            <p className="text-[0.8125rem] text-ink-soft tabular-nums">
              {health.height === null || !health.blockTime ? (
                t("noBlock")
              ) : (
                <>
                  {t("block", { height: health.height })} ·{" "}
                  <Time at={health.blockTime.toISOString()} now={now.toISOString()} />
                </>
              )}
            </p>
            <Calls uses={health.uses} />
            <Endpoints endpoints={health.endpoints} now={now} />
            {changes
              .filter(({ network }) => network === health.network)
              .map(({ note, isRisky }) => (
                <p key={note} className={cn("break-words text-[0.8125rem]", isRisky ? "text-warn" : "text-ink-soft")}>
                  {t("changed", { words: note })}
                </p>
              ))}
            {health.closedAt ? <p className="text-[0.8125rem] text-ink-soft">{t("closedSince")}</p> : null}
            {health.problem && !health.closedAt ? (
              <p className="break-words text-[0.8125rem] text-bad">{health.problem}</p>
            ) : null}
            <Warning text={unreadableWarning(health.unreadable, t)} />
            <Warning text={health.warning} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Renders the number of today's requests to a network's endpoints, per endpoint if there are several or one has a budget. */
function Calls({ uses }: { uses: readonly EndpointUse[] }) {
  const t = useTranslations("networks");
  const [total, ...each] = callsText(uses, t);
  const isTight = uses.some(({ state }) => state !== "free");
  const tone = cn("text-[0.8125rem] tabular-nums", isTight ? "text-warn" : "text-ink-soft");
  if (each.length === 0) return <p className={tone}>{total}</p>;
  return (
    <details className={tone}>
      <summary className="w-fit rounded">{total}</summary>
      <ul className="mt-1.5 grid gap-1 break-words text-ink-soft">
        {each.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </details>
  );
}

/** Returns "1,204 calls today, 3 failed", followed by a line per endpoint if there are several or one has a budget. */
export function callsText(uses: readonly EndpointUse[], t: Translate<"networks">): string[] {
  const calls = uses.reduce((sum, { today }) => sum + today, 0);
  const failed = uses.reduce((sum, { errorsToday }) => sum + errorsToday, 0);
  const total = t("calls", { calls, failed });
  if (uses.length < 2 && uses.every(({ budget: { perDay, perMonth } }) => !perDay && !perMonth)) return [total];
  const each = uses.map(({ endpoint, today, thisMonth, errorsToday, budget: { perDay, perMonth } }) => {
    const parts = [`${endpoint}: ${t("calls", { calls: today, failed: errorsToday })}`];
    if (perDay) parts.push(t("ofDay", { share: today / perDay, limit: perDay }));
    if (perMonth) parts.push(t("ofMonth", { share: thisMonth / perMonth, limit: perMonth }));
    return parts.join(" · ");
  });
  return [total, ...each];
}

function Warning({ text }: { text: string | null }) {
  return text ? <p className="break-words text-[0.8125rem] text-warn">{text}</p> : null;
}

function Health({ health, now }: { health: NetworkHealth; now: Date }) {
  const { tone, text } = checkHealth(health, now, useTranslations("networks"));
  return (
    <Badge tone={tone} hasDot>
      {text}
    </Badge>
  );
}

/** Renders the endpoints that are failing, each with its last error. */
function Endpoints({ endpoints, now }: { endpoints: readonly EndpointHealth[]; now: Date }) {
  const t = useTranslations("networks");
  const failing = recent(endpoints, now).filter(({ errors }) => errors > 0);
  if (failing.length === 0) return null;
  return (
    <details className="text-[0.8125rem]">
      <summary className="w-fit rounded text-warn tabular-nums">{endpointsText(recent(endpoints, now), t)}</summary>
      <ul className="mt-1.5 grid gap-2">
        {failing.map(({ name, errors, last }) => (
          <li key={name} className="min-w-0 break-words text-ink-soft">
            <span className="font-mono text-ink">{name}</span> · {t("errors", { count: errors })}
            {last ? (
              <span className="block">
                <Time at={last.at} now={now.toISOString()} />: {last.message}
              </span>
            ) : null}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Returns "2 transactions cannot be read …", or null if every transaction can be read. */
export function unreadableWarning(count: number, t: Translate<"networks">): string | null {
  return count === 0 ? null : t("unreadable", { count });
}

/** Returns the endpoints with their errors of the last hour; with none if the last error was minutes ago, because it has been resolved. */
function recent(endpoints: readonly EndpointHealth[], now: Date): EndpointHealth[] {
  return endpoints.map((endpoint) => {
    const isResolved = endpoint.last !== null && now.getTime() - Date.parse(endpoint.last.at) > RESOLVED_MS;
    return { ...endpoint, errors: isResolved ? 0 : recentErrors(endpoint, now) };
  });
}

/** Returns "1 of 2 endpoints failed: 12 errors in the last hour". */
export function endpointsText(endpoints: readonly EndpointHealth[], t: Translate<"networks">): string {
  const failing = endpoints.filter(({ errors }) => errors > 0);
  const errors = t("errors", { count: failing.reduce((sum, endpoint) => sum + endpoint.errors, 0) });
  if (endpoints.length === 1) return t("onlyFailed", { errors });
  return t("someFailed", { failed: failing.length, all: endpoints.length, errors });
}

/** Returns the health of a network as a short text. */
export function checkHealth(health: NetworkHealth, now: Date, t: Translate<"networks">): { tone: Tone; text: string } {
  if (health.closedAt) return { tone: "neutral", text: t("closed") };
  if (health.problem) return { tone: "bad", text: t("problem") };
  if (!health.respondedAt) return { tone: "neutral", text: t("unwatched") };
  if (now.getTime() - health.respondedAt.getTime() > SILENT_MS) return { tone: "bad", text: t("silent") };
  if (health.height === null) return { tone: "warn", text: t("looking") };
  const behind = (health.headHeight ?? 0) - health.height;
  if (behind > BEHIND_BLOCKS) return { tone: "warn", text: t("behind", { count: behind }) };
  if (hasWarning(health, now)) return { tone: "warn", text: t("attention") };
  return { tone: "good", text: behind > 0 ? t("liveBehind", { count: behind }) : t("live") };
}

function hasWarning({ warning, unreadable, endpoints }: NetworkHealth, now: Date): boolean {
  return warning !== null || unreadable > 0 || recent(endpoints, now).some(({ errors }) => errors > 0);
}
