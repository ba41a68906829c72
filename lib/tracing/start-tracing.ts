import type { Env } from "@/lib/config/env";
import type { Log } from "@/lib/log";
import { type Spans, startSpans } from "@/lib/tracing/spans";
import packageJson from "@/package.json" with { type: "json" };

/** The tracing of one process. */
export interface Started<Tracing> {
  tracing: Tracing;
  /** Sets the log for problems with the collector. */
  showIn(log: Log): void;
  /** Sends the remaining spans, for at most two seconds. */
  close(): Promise<void>;
}

/**
 * Starts sending traces if the settings name a collector.
 * @param role "web", "worker"
 * @returns null if they name no collector; OpenTelemetry is then not loaded
 */
export async function startTracing<Tracing>(
  { tracing: settings }: Pick<Env, "tracing">,
  role: string,
  create: (spans: Spans) => Tracing,
): Promise<Started<Tracing> | null> {
  if (settings === null) return null;
  let log: Log | undefined;
  const collector = new URL(settings.url).host;
  const onEndpointError = (problem: string | null) =>
    problem === null
      ? log?.info({ collector }, "the collector accepts traces again")
      : log?.warn(
          { collector, problem },
          "the collector does not accept traces; they are dropped, and no work is delayed",
        );
  const spans = await startSpans(settings, { role, version: packageJson.version, onEndpointError });
  return {
    tracing: create(spans),
    showIn(into) {
      log = into;
    },
    close: spans.close,
  };
}
