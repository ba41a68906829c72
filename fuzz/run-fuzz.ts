import { createRandom, type Random } from "@/chaos/plan/random";
import { hostileBody } from "@/fuzz/bodies";
import { checkExchange } from "@/fuzz/check-answer";
import { hostileWire, type Request } from "@/fuzz/heads";
import { type Line, openLine, type RawAnswer } from "@/fuzz/raw-client";
import { API_BASE, allTargets, type KnownOrders, type Target } from "@/fuzz/targets";

export interface FuzzOptions {
  port: number;
  apiKey: string;
  seed: number;
  requests: number;
  /** The number of parallel connections. */
  connections?: number;
  print?: (line: string) => void;
  /** Returns true to stop; called before each request. */
  isEnough?: () => boolean;
}

/** An invalid response, and the data to send its request again. */
export interface Finding {
  number: number;
  what: string;
  problem: string;
}

export interface FuzzReport {
  requests: number;
  /** The number of responses by route and status; `none` if the connection was closed. */
  outcomes: Record<string, Record<string, number>>;
  /** The number of requests by their defects in head and body. */
  kinds: Record<string, number>;
  findings: Finding[];
}

/** The time in milliseconds without a response that counts as a hang. The server ends a request after 30 s. */
const SILENT_MS = 60_000;
const MAX_FINDINGS = 400;
const PRINT_EVERY = 50_000;
/** The interval, in requests, at which a valid request checks that the server still works. */
const CANARY_EVERY = 500;

/** The maximum number of orders whose payers may still choose a network and currency. New orders replace the oldest. */
const MAX_OPEN = 64;
const OPEN_ORDER = /"checkout_url":"[^"]*\/pay\/([^"/]+)"/;

/**
 * Sends hostile requests to every public route: none may cause a server error, hang, disclose internals, or get a response other than the
 * envelope or a page of this service. The same seed sends the same requests, except for the ids of orders.
 * @throws Error if a valid request gets no response
 */
export async function runFuzz({ port, apiKey, seed, requests, ...options }: FuzzOptions): Promise<FuzzReport> {
  const { connections = 16, print = () => {}, isEnough = () => false } = options;
  const known = await createKnown(port, apiKey, seed);
  const pickTarget = weighted(allTargets());
  const report: FuzzReport = { requests: 0, outcomes: {}, kinds: {}, findings: [] };
  let next = 0;
  const loop = async () => {
    const line = openLine(port);
    while (next < requests && report.findings.length < MAX_FINDINGS && !isEnough()) {
      const number = next++;
      const random = createRandom(seed ^ Math.imul(number + 1, 0x9e3779b1));
      await sendOne({ line, apiKey, report, known, target: pickTarget(random), number, random });
      if (number % CANARY_EVERY === CANARY_EVERY - 1) await requireServing(port, apiKey, known);
      if (report.requests % PRINT_EVERY === 0) print(`${report.requests} requests, ${report.findings.length} findings`);
    }
    line.close();
  };
  await Promise.all(Array.from({ length: connections }, loop));
  await requireServing(port, apiKey, known);
  return report;
}

/** Returns a function that picks a target at random by weight. */
function weighted(targets: readonly Target[]): (random: Random) => Target {
  const weights = Object.fromEntries(targets.map(({ weight }, index) => [index, weight]));
  return (random) => targets[Number(random.weighted(weights))] as Target;
}

interface Turn {
  line: Line;
  apiKey: string;
  report: FuzzReport;
  known: KnownOrders;
  target: Target;
  number: number;
  random: Random;
}

async function sendOne({ line, apiKey, report, known, target, number, random }: Turn): Promise<void> {
  const { method, pattern, isForm } = target;
  const body =
    method === "POST"
      ? hostileBody(target.fields(random, known), isForm, random)
      : { name: "none", bytes: new Uint8Array() };
  const request: Request = {
    method,
    target: target.path(random, known),
    headers: headersOf(apiKey, isForm, random),
    body: body.bytes,
  };
  const wire = hostileWire(request, random);
  const { parts, answers, isHalfOpen = false, isWhole = false, isHead = false } = wire;
  const result = await line.exchange({ parts, answers, isHalfOpen, isWhole, isHead }, SILENT_MS);
  report.requests += 1;
  count(report.kinds, `head: ${wire.name}`);
  count(report.kinds, `body: ${body.name}`);
  for (const { status } of result.answers) countOutcome(report, target, String(status));
  if (result.answers.length === 0) countOutcome(report, target, "none");
  keepOpen(known, result.answers);
  const problem = checkExchange(target, wire, result);
  if (!problem) return;
  countOutcome(report, target, "FINDING");
  const what = `${method} ${request.target}, head: ${wire.name}, body: ${body.name}`;
  report.findings.push({ number, what, problem: `${problem} (${pattern})` });
}

/** Records the ids of new orders whose payers have not chosen a network and currency. */
function keepOpen({ open }: KnownOrders, answers: readonly RawAnswer[]): void {
  for (const { status, body } of answers) {
    const tradeId = status === 200 ? OPEN_ORDER.exec(body)?.[1] : undefined;
    if (!tradeId) continue;
    open.push(tradeId);
    if (open.length > MAX_OPEN) open.shift();
  }
}

function headersOf(apiKey: string, isForm: boolean, random: Random): Request["headers"] {
  const key = random.weighted({ right: 8, invalid: 1, none: 1 });
  const keys = { right: [["X-API-Key", apiKey]], invalid: [["X-API-Key", `${apiKey}x`]], none: [] } as const;
  return [
    ["Host", "127.0.0.1"],
    ["Content-Type", isForm ? "application/x-www-form-urlencoded" : "application/json"],
    ...(isForm ? [] : [["Accept", "application/json, text/event-stream"] satisfies [string, string]]),
    ...keys[key].map(([name, value]): [string, string] => [name, value]),
  ];
}

async function createKnown(port: number, apiKey: string, seed: number): Promise<KnownOrders> {
  const mchOrderId = `known-${seed}`;
  const terms = { amount: 1, mch_order_id: mchOrderId, expires_in: 86_400 };
  const made = await callWell(port, apiKey, "/order/add", { currency: "USDT", network: "ethereum", ...terms });
  const left = await callWell(port, apiKey, "/order/checkout", { ...terms, mch_order_id: `open-${seed}` });
  return { mchOrderId, tradeId: String(made.data?.["trade_id"]), open: [String(left.data?.["trade_id"])] };
}

async function requireServing(port: number, apiKey: string, { tradeId }: KnownOrders): Promise<void> {
  const { data } = await callWell(port, apiKey, "/order/detail", { trade_id: tradeId });
  if (data?.["trade_id"] !== tradeId) throw new Error(`order/detail of ${tradeId} returns ${JSON.stringify(data)}`);
}

async function callWell(port: number, apiKey: string, path: string, body: object) {
  const headers = { "content-type": "application/json", "x-api-key": apiKey };
  const url = `http://127.0.0.1:${port}${API_BASE}${path}`;
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (response.status !== 200)
    throw new Error(`The response to a valid request to ${path} was ${response.status}: ${text}`);
  return JSON.parse(text) as { data?: Record<string, unknown> };
}

function countOutcome({ outcomes }: FuzzReport, { method, pattern }: Target, outcome: string): void {
  const route = `${method} ${pattern}`;
  outcomes[route] ??= {};
  count(outcomes[route], outcome);
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
