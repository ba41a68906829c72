import { createHash } from "node:crypto";
import { hostname } from "node:os";
import type { Span as ApiSpan, Attributes, Link, SpanContext, Tracer } from "@opentelemetry/api";
import type { IdGenerator, ReadableSpan, Sampler, SpanExporter } from "@opentelemetry/sdk-trace";
import type { TracingSettings } from "@/lib/config/tracing";

/**
 * The attributes of a span. They never contain a secret, an address or a body: a test searches everything that a
 * collector received.
 */
export type Facts = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** A unit of work in a trace. */
export interface Span {
  readonly spanContext: SpanContext;
  /** True if the span is sent to the collector when it ends. */
  readonly isKept: boolean;
  rename(name: string): void;
  note(facts: Facts): void;
  /** Links this span to another one. */
  link(other: SpanContext): void;
  /**
   * Ends the span. A span that never ends is not sent. @param error a code, never a message, because messages may
   * contain anything
   */
  end(how?: { at?: number; error?: string | null }): void;
}

export interface Beginning {
  name: string;
  kind?: "server" | "client" | "internal";
  /** The parent span; without one, the span starts a trace. */
  parent?: SpanContext;
  /** The ids of a new root span; random if omitted. */
  as?: SpanContext;
  links?: readonly SpanContext[];
  /** The start time, on the scale of `nowMs`; now by default. */
  startedAt?: number;
  facts?: Facts;
}

export interface Spans {
  begin(what: Beginning): Span;
  /** Returns the root span of an order's trace. Every process derives the same ids from the order's id alone. */
  ofOrder(tradeId: string): SpanContext;
  /** Sends the remaining spans, for at most two seconds. */
  close(): Promise<void>;
}

interface Options {
  /** "web", "worker" */
  role: string;
  version: string;
  /**
   * Called with a reason when the collector starts to refuse batches or not to respond, and with null when it accepts
   * them again.
   */
  onEndpointError(text: string | null): void;
}

const BATCH_MS = 2_000;
/** The longest wait for the collector. Spans that do not fit into the queue meanwhile are dropped. */
const EXPORT_MS = 5_000;
const MAX_WAITING = 2_048;
const CLOSE_MS = 2_000;
const MAX_MESSAGE_LENGTH = 256;

/** Returns Unix milliseconds with fractions, by the clock of the machine. */
export const nowMs = () => performance.timeOrigin + performance.now();

/**
 * Starts sending traces by OTLP over HTTP. Only this function loads OpenTelemetry, so that processes without tracing have no overhead.
 * Nothing is registered globally, and no caller waits for the collector.
 */
export async function startSpans(settings: TracingSettings, options: Options): Promise<Spans> {
  const otel = await loadOpenTelemetry();
  const { api, sdk } = otel;
  const root: Sampler =
    settings.sampler === "traceidratio" ? new sdk.TraceIdRatioBasedSampler(settings.ratio) : new sdk.AlwaysOnSampler();
  const ids = createIdGenerator(new sdk.RandomIdGenerator());
  const provider = new sdk.TracerProvider({
    resource: otel.resourceFromAttributes(resourceOf(settings, options)),
    sampler: new sdk.ParentBasedSampler({ root }),
    spanLimits: { attributeValueLengthLimit: MAX_MESSAGE_LENGTH },
    idGenerator: ids.generator,
    spanProcessors: [createProcessor(otel, settings, options)],
  });
  const tracer = provider.getTracer("stablegate", options.version);
  return {
    begin: (what) =>
      toSpan(
        api,
        ids.withIds(what.as, () => startSpan(api, tracer, what)),
      ),
    ofOrder(tradeId) {
      const { traceId, spanId } = orderSpanContext(tradeId);
      // The decision depends only on the trace id, so that all processes make the same decision.
      const { decision } = root.shouldSample(api.ROOT_CONTEXT, traceId, "", api.SpanKind.INTERNAL, {}, []);
      const isSampled = decision === sdk.SamplingDecision.RECORD_AND_SAMPLED;
      const traceFlags = isSampled ? api.TraceFlags.SAMPLED : api.TraceFlags.NONE;
      return { traceId, spanId, traceFlags, isRemote: true };
    },
    close: () => withTimeout(CLOSE_MS, provider.shutdown()),
  };
}

type OpenTelemetry = Awaited<ReturnType<typeof loadOpenTelemetry>>;

async function loadOpenTelemetry() {
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/sdk-trace"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/resources"),
  ]);
  return { api, sdk, OTLPTraceExporter, resourceFromAttributes };
}

function createProcessor({ sdk, OTLPTraceExporter }: OpenTelemetry, settings: TracingSettings, options: Options) {
  const { url, headers } = settings;
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: EXPORT_MS });
  return new sdk.BatchSpanProcessor({
    exporter: withParams(exporter, options.onEndpointError),
    scheduledDelayMillis: BATCH_MS,
    exportTimeoutMillis: EXPORT_MS,
    maxQueueSize: MAX_WAITING,
  });
}

/** Returns a generator of random ids, and a function that starts a span with given ids instead. */
function createIdGenerator(random: IdGenerator) {
  let given: SpanContext | undefined;
  const generator: IdGenerator = {
    generateTraceId: () => given?.traceId ?? random.generateTraceId(),
    generateSpanId: () => given?.spanId ?? random.generateSpanId(),
  };
  const withIds = <T>(ids: SpanContext | undefined, start: () => T): T => {
    given = ids;
    const started = start();
    given = undefined;
    return started;
  };
  return { generator, withIds };
}

function startSpan({ ROOT_CONTEXT, SpanKind, trace }: OpenTelemetry["api"], tracer: Tracer, what: Beginning): ApiSpan {
  const { name, kind = "internal", parent, links = [], startedAt = nowMs(), facts = {} } = what;
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };
  return tracer.startSpan(
    name,
    {
      kind: kinds[kind],
      startTime: startedAt,
      attributes: toAttributes(facts),
      links: links.map((context): Link => ({ context })),
    },
    parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT,
  );
}

function toSpan({ SpanStatusCode, TraceFlags }: OpenTelemetry["api"], span: ApiSpan): Span {
  const spanContext = span.spanContext();
  return {
    spanContext,
    isKept: (spanContext.traceFlags & TraceFlags.SAMPLED) !== 0,
    rename: (to) => void span.updateName(to),
    note: (more) => void span.setAttributes(toAttributes(more)),
    link: (context) => void span.addLink({ context }),
    end({ at = nowMs(), error = null } = {}) {
      if (error !== null) span.setAttributes({ "error.type": error }).setStatus({ code: SpanStatusCode.ERROR });
      span.end(at);
    },
  };
}

/** Waits until work has ended or failed, but at most `ms`. */
async function withTimeout(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.catch(() => {}), limit]);
  clearTimeout(timer);
}

/**
 * Returns the ids of the root span of an order's trace, in hexadecimal. In the SHA-256 of "order " and the trade_id, the first 16 bytes
 * are the trace id and the next 8 are the span id. Any process that later works on the order can therefore find its trace without stored
 * data.
 */
export function orderSpanContext(tradeId: string): { traceId: string; spanId: string } {
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

/**
 * Wraps an exporter to report once when the collector refuses batches and once when it accepts them again. Only the response status is
 * reported.
 */
function withParams(exporter: SpanExporter, onEndpointError: Options["onEndpointError"]): SpanExporter {
  let isFailed = false;
  return {
    export: (spans: ReadableSpan[], done) =>
      exporter.export(spans, (result) => {
        const isError = result.error !== undefined;
        if (isError !== isFailed) onEndpointError(isError ? describeError(result.error) : null);
        isFailed = isError;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

function describeError(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /^\w{1,40}$/.test(code) ? code : "no answer";
}
