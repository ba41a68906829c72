import type { Trouble } from "@/lib/chains/endpoints/endpoint-call";
import { type EndpointHealth, endpointNames } from "@/lib/domain/networks/health";
import type { Log } from "@/lib/log";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const MESSAGE_LENGTH = 200;

/** The errors of one network's endpoints within the last hour. */
export interface EndpointLog {
  note(trouble: Trouble): void;
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
      // A node's limit of blocks at once is not an error: the reader requests fewer.
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

const SAY_AGAIN_MS = 60_000;

/**
 * Logs errors of endpoints: each kind of error of each endpoint once a minute as a warning, the rest at debug level,
 * including limits of blocks at once.
 */
export function createTroubleLog(log: Log, network: string, now: () => Date): (trouble: Trouble) => void {
  const saidAt = new Map<string, number>();
  return (trouble) => {
    const key = `${trouble.endpoint} ${trouble.kind}`;
    const isNews = trouble.kind !== "rangeTooLarge" && now().getTime() - (saidAt.get(key) ?? 0) >= SAY_AGAIN_MS;
    if (isNews) saidAt.set(key, now().getTime());
    log[isNews ? "warn" : "debug"]({ network, ...trouble }, "an endpoint gave an invalid response");
  };
}
