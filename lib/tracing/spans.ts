import { createHash } from "node:crypto";
import { hostname } from "node:os";
import type { Attributes, Link, SpanContext, SpanKind } from "@opentelemetry/api";
import type { ReadableSpan, Sampler, SpanExporter } from "@opentelemetry/sdk-trace";
import type { TracingSettings } from "@/lib/config/tracing";

/** What a span says. No secret, no address and no body may be in it: a test looks through all that a collector got. */
export type Facts = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** A piece of work that somebody may look at later. */
export interface Span {
  readonly place: SpanContext;
  /** Whether it goes to the collector when it ends. */
  readonly isKept: boolean;
  rename(name: string): void;
  note(facts: Facts): void;
  /** Leads from here to another piece of work. */
  link(other: SpanContext): void;
  /** One that is never ended is told to nobody. @param error a word, never a message: those may hold anything */
  end(how?: { at?: number; error?: string | null }): void;
}

export interface Beginning {
  name: string;
  kind?: "server" | "client" | "internal";
  /** What it is a part of; left out: it begins a trace. */
  parent?: SpanContext;
  /** The trace that it begins, where that must have a certain id. */
  as?: SpanContext;
  links?: readonly SpanContext[];
  /** As `nowMs`; left out: now. */
  startedAt?: number;
  facts?: Facts;
}

export interface Spans {
  begin(what: Beginning): Span;
  /** Where the trace of an order begins: the same in every process, by its id alone. */
  ofOrder(tradeId: string): SpanContext;
  /** Sends what is left, for two seconds at most. */
  close(): Promise<void>;
}

interface Options {
  /** "web", "worker" */
  role: string;
  version: string;
  /** Told when batches begin to be refused or to stay unanswered, and when they are taken again. */
  onTrouble(words: string | null): void;
}

const BATCH_MS = 2_000;
/** Longer than this no collector is waited for; what does not fit meanwhile is dropped. */
const EXPORT_MS = 5_000;
const MOST_WAITING = 2_048;
const CLOSE_MS = 2_000;
const LONGEST_WORDS = 256;

/** Unix milliseconds with fractions, by the clock of the machine. */
export const nowMs = () => performance.timeOrigin + performance.now();

/**
 * Begins to send traces by OTLP over HTTP. OpenTelemetry is loaded by this alone: a process that sends none pays nothing. Nothing is
 * registered for the whole process, and nobody ever waits for the collector.
 */
export async function startSpans(settings: TracingSettings, options: Options): Promise<Spans> {
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/sdk-trace"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/resources"),
  ]);
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } = api;
  const root: Sampler =
    settings.sampler === "traceidratio" ? new sdk.TraceIdRatioBasedSampler(settings.ratio) : new sdk.AlwaysOnSampler();
  const { url, headers } = settings;
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: EXPORT_MS });
  const processor = new sdk.BatchSpanProcessor({
    exporter: telling(exporter, options.onTrouble),
    scheduledDelayMillis: BATCH_MS,
    exportTimeoutMillis: EXPORT_MS,
    maxQueueSize: MOST_WAITING,
  });
  const random = new sdk.RandomIdGenerator();
  let as: SpanContext | undefined;
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes(resourceOf(settings, options)),
    sampler: new sdk.ParentBasedSampler({ root }),
    spanLimits: { attributeValueLengthLimit: LONGEST_WORDS },
    idGenerator: {
      generateTraceId: () => as?.traceId ?? random.generateTraceId(),
      generateSpanId: () => as?.spanId ?? random.generateSpanId(),
    },
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer("stablegate", options.version);
  const kinds: Record<string, SpanKind> = { server: SpanKind.SERVER, client: SpanKind.CLIENT };
  /** By the trace's id alone, so that all processes decide alike. */
  const isSampled = (traceId: string) =>
    root.shouldSample(ROOT_CONTEXT, traceId, "", SpanKind.INTERNAL, {}, []).decision ===
    sdk.SamplingDecision.RECORD_AND_SAMPLED;

  function begin(what: Beginning): Span {
    const { name, kind = "internal", parent, links = [], startedAt = nowMs(), facts = {} } = what;
    as = what.as;
    const span = tracer.startSpan(
      name,
      {
        kind: kinds[kind] ?? SpanKind.INTERNAL,
        startTime: startedAt,
        attributes: toAttributes(facts),
        links: links.map((context): Link => ({ context })),
      },
      parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT,
    );
    as = undefined;
    const place = span.spanContext();
    return {
      place,
      isKept: (place.traceFlags & TraceFlags.SAMPLED) !== 0,
      rename: (to) => void span.updateName(to),
      note: (more) => void span.setAttributes(toAttributes(more)),
      link: (context) => void span.addLink({ context }),
      end({ at = nowMs(), error = null } = {}) {
        if (error !== null) span.setAttributes({ "error.type": error }).setStatus({ code: SpanStatusCode.ERROR });
        span.end(at);
      },
    };
  }

  return {
    begin,
    ofOrder(tradeId) {
      const { traceId, spanId } = orderPlace(tradeId);
      return { traceId, spanId, traceFlags: isSampled(traceId) ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true };
    },
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const atMost = new Promise((resolve) => {
        timer = setTimeout(resolve, CLOSE_MS);
      });
      await Promise.race([provider.shutdown().catch(() => {}), atMost]);
      clearTimeout(timer);
    },
  };
}

/**
 * Where the trace of an order begins, as hexadecimal digits: of the SHA-256 of "order " and its trade_id the first 16 bytes name the trace, the
 * next 8 its first span. Whoever works on the order later, in whatever process, finds its trace so, and nothing is stored for it.
 */
export function orderPlace(tradeId: string): { traceId: string; spanId: string } {
  const digits = createHash("sha256").update(`order ${tradeId}`).digest("hex");
  return { traceId: digits.slice(0, 32), spanId: digits.slice(32, 48) };
}

function resourceOf({ serviceName, resource }: TracingSettings, { role, version }: Options): Attributes {
  return {
    ...resource,
    "service.name": serviceName ?? resource["service.name"] ?? `stablegate-${role}`,
    "service.version": version,
    "service.instance.id": `${hostname()}:${process.pid}`,
  };
}

function toAttributes(facts: Facts): Attributes {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null && value !== undefined));
}

/** Says once that a collector does not take batches, and once that it does again. Of its answer nothing is told but the status. */
function telling(exporter: SpanExporter, onTrouble: Options["onTrouble"]): SpanExporter {
  let isTrouble = false;
  return {
    export: (spans: ReadableSpan[], done) =>
      exporter.export(spans, (result) => {
        const isBad = result.error !== undefined;
        if (isBad !== isTrouble) onTrouble(isBad ? wordsOf(result.error) : null);
        isTrouble = isBad;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

function wordsOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /^\w{1,40}$/.test(code) ? code : "no answer";
}
