import type { EndpointError } from "@/lib/chains/endpoints/endpoint-call";
import { type EndpointHealth, endpointNames } from "@/lib/domain/networks/health";
import type { Log } from "@/lib/log";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const MESSAGE_LENGTH = 200;

/** The errors of one network's endpoints within the last hour. */
export interface EndpointLog {
  note(endpointError: EndpointError): void;
  /** Returns the health of each configured endpoint, in order. */
  read(): EndpointHealth[];
}

interface Record {
  name: string;
  /** The number of errors by minute since the Unix epoch. */
  minutes: Map<number, number>;
  last: EndpointHealth["last"];
}

/** Counts failed calls by endpoint and minute: at most sixty numbers for each. */
export function createEndpointLog(urls: readonly string[], now: () => Date): EndpointLog {
  const records = new Map<string, Record>(
    endpointNames(urls).map((name) => [name, { name, minutes: new Map(), last: null }]),
  );
  return {
    note({ endpoint, kind, message }) {
      const record = records.get(endpoint);
      // A node's limit of blocks per call is not an error: the reader then requests fewer blocks.
      if (!record || kind === "rangeTooLarge") return;
      const at = now();
      const minute = Math.floor(at.getTime() / MINUTE_MS);
      record.minutes.set(minute, (record.minutes.get(minute) ?? 0) + 1);
      record.last = { kind, message: message.slice(0, MESSAGE_LENGTH), at: at.toISOString() };
    },
    read: () => [...records.values()].map((record) => healthOf(record, now())),
  };
}

function healthOf(record: Record, now: Date): EndpointHealth {
  const oldest = Math.floor((now.getTime() - HOUR_MS) / MINUTE_MS);
  for (const minute of record.minutes.keys()) if (minute <= oldest) record.minutes.delete(minute);
  const errors = [...record.minutes.values()].reduce((sum, count) => sum + count, 0);
  return { name: record.name, errors, last: record.last };
}

const REPEAT_AFTER_MS = 60_000;

/**
 * Logs errors of endpoints. Each kind of error of each endpoint is logged once a minute as a warning. All other errors, including limits
 * of blocks per call, are logged at debug level.
 */
export function createEndpointErrorLog(
  log: Log,
  network: string,
  now: () => Date,
): (endpointError: EndpointError) => void {
  const printedAt = new Map<string, number>();
  return (endpointError) => {
    const key = `${endpointError.endpoint} ${endpointError.kind}`;
    const isWorthLogging =
      endpointError.kind !== "rangeTooLarge" && now().getTime() - (printedAt.get(key) ?? 0) >= REPEAT_AFTER_MS;
    if (isWorthLogging) printedAt.set(key, now().getTime());
    log[isWorthLogging ? "warn" : "debug"]({ network, ...endpointError }, "an endpoint gave an invalid response");
  };
}
