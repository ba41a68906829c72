import { Badge, type Tone } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { cn } from "@/components/ui/class-names";
import { Time } from "@/components/ui/time";
import { getNetwork } from "@/lib/domain/networks";
import { type EndpointHealth, recentErrors } from "@/lib/domain/networks/health";
import type { NetworkChange } from "@/lib/domain/networks/override";

export interface NetworkHealth {
  network: string;
  height: number | null;
  blockTime: Date | null;
  headHeight: number | null;
  heardAt: Date | null;
  problem: string | null;
  /** What of it is left out, though it takes orders. */
  warning: string | null;
  /** Transactions of watched accounts that no endpoint can show. */
  unreadable: number;
  endpoints: readonly EndpointHealth[];
}

const SILENT_MS = 60_000;
const BEHIND_BLOCKS = 50;

interface NetworkPanelProps {
  networks: readonly NetworkHealth[];
  /** How networks of this installation differ from the release's. */
  changes: readonly NetworkChange[];
  now: Date;
}

/** How far each network is read, and what its operator changed of it. */
export function NetworkPanel({ networks, changes, now }: NetworkPanelProps) {
  return (
    <Card title="Networks" isFlush>
      <ul className="divide-y divide-line border-line border-t">
        {networks.map((health) => (
          <li key={health.network} className="grid gap-1 px-4 py-3 sm:px-5">
            <div className="flex items-center justify-between gap-3">
              <span className="font-medium">{getNetwork(health.network).name}</span>
              <Health health={health} now={now} />
            </div>
            <p className="text-[0.8125rem] text-ink-soft tabular-nums">
              {health.height === null || !health.blockTime ? (
                "No block read yet"
              ) : (
                <>
                  Block {health.height.toLocaleString("en")} ·{" "}
                  <Time at={health.blockTime.toISOString()} now={now.toISOString()} />
                </>
              )}
            </p>
            <Endpoints endpoints={health.endpoints} now={now} />
            {changes
              .filter(({ network }) => network === health.network)
              .map(({ words, isRisky }) => (
                <p key={words} className={cn("break-words text-[0.8125rem]", isRisky ? "text-warn" : "text-ink-soft")}>
                  Changed by the operator: {words}
                </p>
              ))}
            {health.problem ? <p className="break-words text-[0.8125rem] text-bad">{health.problem}</p> : null}
            <Warning text={unreadableWarning(health.unreadable)} />
            <Warning text={health.warning} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Warning({ text }: { text: string | null }) {
  return text ? <p className="break-words text-[0.8125rem] text-warn">{text}</p> : null;
}

function Health({ health, now }: { health: NetworkHealth; now: Date }) {
  const { tone, text } = checkHealth(health, now);
  return (
    <Badge tone={tone} hasDot>
      {text}
    </Badge>
  );
}

/** The endpoints that failed within the last hour, each with what it did last. */
function Endpoints({ endpoints, now }: { endpoints: readonly EndpointHealth[]; now: Date }) {
  const failing = recent(endpoints, now).filter(({ errors }) => errors > 0);
  if (failing.length === 0) return null;
  return (
    <details className="text-[0.8125rem]">
      <summary className="w-fit rounded text-warn tabular-nums">{endpointsText(recent(endpoints, now))}</summary>
      <ul className="mt-1.5 grid gap-2">
        {failing.map(({ name, errors, last }) => (
          <li key={name} className="min-w-0 break-words text-ink-soft">
            <span className="font-mono text-ink">{name}</span> · {counted(errors, "error")} in the last hour
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

/** "2 transactions cannot be read …", or null when all can. */
export function unreadableWarning(count: number): string | null {
  if (count === 0) return null;
  return `${counted(count, "transaction")} cannot be read by any endpoint. Reading goes on; another endpoint may show ${count === 1 ? "it" : "them"}.`;
}

function recent(endpoints: readonly EndpointHealth[], now: Date): EndpointHealth[] {
  return endpoints.map((endpoint) => ({ ...endpoint, errors: recentErrors(endpoint, now) }));
}

/** "1 of 2 endpoints with errors: 12 errors in the last hour" */
export function endpointsText(endpoints: readonly EndpointHealth[]): string {
  const failing = endpoints.filter(({ errors }) => errors > 0);
  const errors = failing.reduce((sum, endpoint) => sum + endpoint.errors, 0);
  const which =
    endpoints.length === 1 ? "The endpoint failed" : `${failing.length} of ${endpoints.length} endpoints failed`;
  return `${which}: ${counted(errors, "error")} in the last hour`;
}

function counted(count: number, one: string): string {
  return `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;
}

/** How a network is, in a word or two. */
export function checkHealth(health: NetworkHealth, now: Date): { tone: Tone; text: string } {
  if (health.problem) return { tone: "bad", text: "Problem" };
  if (!health.heardAt) return { tone: "neutral", text: "Not watched yet" };
  if (now.getTime() - health.heardAt.getTime() > SILENT_MS) return { tone: "bad", text: "Silent" };
  if (health.height === null) return { tone: "warn", text: "Looking for its place" };
  const behind = (health.headHeight ?? 0) - health.height;
  if (behind > BEHIND_BLOCKS) return { tone: "warn", text: `${behind.toLocaleString("en")} blocks behind` };
  return { tone: "good", text: behind > 0 ? `Live, ${behind} behind` : "Live" };
}
