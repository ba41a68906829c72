import { z } from "zod";

/** The settings of numbers that are shown to whoever operates this. */
export const METRICS_SETTINGS = {
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
};
