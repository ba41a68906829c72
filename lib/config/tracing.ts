import * as z from "zod";

const SAMPLERS = ["always_on", "always_off", "traceidratio"] as const;

/** The destination and sampling of traces. */
export interface TracingSettings {
  /** The URL of a collector for OTLP over HTTP, with its path. */
  url: string;
  /** The headers of every batch; they may contain a token. */
  headers: Readonly<Record<string, string>>;
  /** The service name; null if it follows from the role of the process. */
  serviceName: string | null;
  /** Additional attributes of the process, such as deployment.environment. */
  resource: Readonly<Record<string, string>>;
  sampler: (typeof SAMPLERS)[number];
  /** The sampled share of all traces, 0 to 1; for `traceidratio` only. */
  ratio: number;
}

const url = z
  .string()
  .refine(
    (text) => /^https?:\/\//i.test(text) && URL.canParse(text),
    "must be the http(s) URL of a collector that accepts OTLP over HTTP, such as http://127.0.0.1:4318",
  )
  .nullable()
  .default(null);

const pairs = (example: string) =>
  z
    .string()
    .default("")
    .transform((text, context) => {
      const read = readPairs(text);
      if (read) return read;
      context.addIssue(`must be pairs such as ${example}, separated by commas`);
      return z.NEVER;
    });

/** The tracing settings under their OpenTelemetry names. Without an endpoint there are no traces. */
export const TRACING_SETTINGS = {
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_HEADERS: pairs("authorization=Bearer%20abc"),
  OTEL_SERVICE_NAME: z.string().nullable().default(null),
  OTEL_RESOURCE_ATTRIBUTES: pairs("deployment.environment=production"),
  OTEL_TRACES_SAMPLER: z
    .string()
    .default("parentbased_always_on")
    .transform((name) => name.replace(/^parentbased_/, ""))
    .pipe(z.enum(SAMPLERS, `must be one of ${SAMPLERS.join(", ")}, optionally prefixed with parentbased_`)),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(?:0?\.\d+|0|1(?:\.0+)?)$/, "must be the share of traces to keep, from 0 to 1, such as 0.1")
    .transform(Number)
    .default(1),
  OTEL_SDK_DISABLED: z
    .string()
    .default("false")
    .transform((text) => text.toLowerCase() === "true"),
};

type Read = { [Name in keyof typeof TRACING_SETTINGS]: z.output<(typeof TRACING_SETTINGS)[Name]> };

/** Returns the settings of traces; null if tracing is disabled. */
export function toTracing(read: Read): TracingSettings | null {
  const base = read.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, "");
  const to = read.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base ? `${base}/v1/traces` : null);
  if (to === null || read.OTEL_SDK_DISABLED || read.OTEL_TRACES_SAMPLER === "always_off") return null;
  return {
    url: to,
    headers: read.OTEL_EXPORTER_OTLP_HEADERS,
    serviceName: read.OTEL_SERVICE_NAME,
    resource: read.OTEL_RESOURCE_ATTRIBUTES,
    sampler: read.OTEL_TRACES_SAMPLER,
    ratio: read.OTEL_TRACES_SAMPLER_ARG,
  };
}

/** Parses comma-separated `name=value` pairs with URL-encoded values. Returns null if the text has any other form. */
function readPairs(text: string): Record<string, string> | null {
  const found: Record<string, string> = {};
  for (const pair of text.split(",").filter((one) => one.trim())) {
    const [, name, value] = /^\s*([^\s=,;]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    if (name === undefined || value === undefined) return null;
    try {
      found[name] = decodeURIComponent(value);
    } catch {
      return null;
    }
  }
  return found;
}
