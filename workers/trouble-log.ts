import type { ChainErrorKind } from "@/lib/chains/endpoints/source";
import type { Log } from "@/lib/log";

const SAY_AGAIN_MS = 60_000;

interface Trouble {
  endpoint: string;
  kind: ChainErrorKind;
  message: string;
}

/**
 * Logs what endpoints do wrong: each kind of trouble of each endpoint once a minute as a warning, the rest at debug, and so
 * how many blocks a node takes at once.
 */
export function createTroubleLog(log: Log, network: string, now: () => Date): (trouble: Trouble) => void {
  const saidAt = new Map<string, number>();
  return (trouble) => {
    const key = `${trouble.endpoint} ${trouble.kind}`;
    const isNews = trouble.kind !== "rangeTooLarge" && now().getTime() - (saidAt.get(key) ?? 0) >= SAY_AGAIN_MS;
    if (isNews) saidAt.set(key, now().getTime());
    log[isNews ? "warn" : "debug"]({ network, ...trouble }, "an endpoint gave no answer to trust");
  };
}
