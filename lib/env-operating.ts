import { availableParallelism } from "node:os";
import { z } from "zod";
import { TRACING_SETTINGS } from "@/lib/env-tracing";

/** The first that a service manager hands over (sd_listen_fds(3)). */
const GIVEN_SOCKET = 3;

/**
 * The listening socket that a service manager opened for this process, or for the supervisor that began it, and holds on to while they
 * are stopped and started; null where there is none.
 */
export function givenSocket(source: Readonly<Record<string, string | undefined>>): number | null {
  const isOurs = [process.pid, process.ppid].includes(Number(source["LISTEN_PID"]));
  return isOurs && Number(source["LISTEN_FDS"]) === 1 ? GIVEN_SOCKET : null;
}

/** How many processes there are, who may read their numbers, where lists may be read, and where traces go. */
export const OPERATING_SETTINGS = {
  WEB_CONCURRENCY: z
    .string()
    .regex(
      /^(cores|[1-9]\d?)$/,
      "must be a whole number of web processes from 1 to 99, or the word cores for one on each",
    )
    .transform((text) => (text === "cores" ? availableParallelism() : Number(text)))
    .default(1),
  DATABASE_REPLICA_URL: z
    .string()
    .refine(
      (text) => URL.canParse(text) && /^postgres(?:ql)?:$/.test(new URL(text).protocol),
      "is not a PostgreSQL URL; it looks like postgres://user:password@replica:5432/stablegate",
    )
    .nullable()
    .default(null),
  METRICS_TOKEN: z
    .string()
    .min(16, "is too short: it must have at least 16 characters; make one with: openssl rand -hex 24")
    .nullable()
    .default(null),
  METRICS_ACCESS: z.literal("loopback", "must be loopback, or left out").optional(),
  WORKER_METRICS_PORT: z
    .string()
    .refine((text) => /^\d+$/.test(text) && Number(text) < 65_536, "must be a port number from 0 to 65535")
    .transform(Number)
    .nullable()
    .default(null),
  ...TRACING_SETTINGS,
};
