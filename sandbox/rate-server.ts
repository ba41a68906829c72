import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as z from "zod";
import { CURRENCIES } from "@/lib/domain/networks";
import { RATE_SOURCES } from "@/lib/domain/rates/sources";
import { answerRpc, RpcProblem } from "@/sandbox/nodes/json-rpc-answer";

export interface RateServer {
  /** The JSON-RPC URL of the control calls, which docs/sandbox.md describes. */
  controlUrl: string;
  /** The content of RATES_FILE that makes the service query this server instead of real sources. */
  sources: Record<string, { url: string }>;
  close(): Promise<void>;
}

/** The sandbox's fictitious price of one USD in each currency. */
const USD_IN: Readonly<Record<string, number>> = {
  USD: 1,
  EUR: 0.92,
  GBP: 0.79,
  CHF: 0.88,
  CAD: 1.38,
  AUD: 1.52,
  JPY: 150,
  KRW: 1_380,
  CNY: 7.2,
  INR: 84,
  BRL: 5.4,
  SEK: 10.5,
  NOK: 10.8,
  DKK: 6.87,
  PLN: 3.95,
  CZK: 23.2,
  HUF: 365,
  TRY: 34,
  MXN: 19.5,
  ZAR: 18.1,
  KWD: 0.307,
  BHD: 0.377,
};
const TOKEN_IN_USD: Readonly<Record<string, number>> = {
  USDT: 1.0002,
  USDC: 0.9998,
  tether: 1.0002,
  "usd-coin": 0.9998,
};
/** The currencies whose rates only the bank's file contains. None of the sandbox's live rate sources supports them. */
const BANK_ONLY = ["SEK", "CZK"];
const WAVE_MS = 600_000;
const WAVE = 0.001;

interface Mood {
  isStopped: boolean;
  frozenAt: number | null;
  factor: number;
}

const Source = z.enum(RATE_SOURCES.map(({ id }) => id)).nullish();
const Jump = z.tuple([Source, z.number().positive()]);

/**
 * Serves rates on a free loopback port in the formats of the public sources, each under a path with its name. Prices change slightly over
 * time.
 */
export async function startRateServer(now: () => number): Promise<RateServer> {
  const moods = new Map<string, Mood>(
    RATE_SOURCES.map(({ id }) => [id, { isStopped: false, frozenAt: null, factor: 1 }]),
  );
  const server = createServer((request, response) => {
    void serve(request, response, moods, now).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    controlUrl: `${url}/control`,
    sources: Object.fromEntries(
      RATE_SOURCES.map(({ id, url: there }) => [id, { url: there.replace(/^https:\/\/[^/]+/, `${url}/${id}`) }]),
    ),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  moods: ReadonlyMap<string, Mood>,
  now: () => number,
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://localhost");
  const id = url.pathname.split("/")[1] ?? "";
  if (id === "control") {
    const body: unknown = JSON.parse(await textOf(request));
    const answer = await answerRpc(body, (method, params) => control(moods, now, method, params));
    response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
    return;
  }
  const mood = moods.get(id);
  if (mood?.isStopped) return void response.destroy();
  const text = mood ? answerOf(id, url.searchParams, mood, now()) : null;
  if (text === null) return void response.writeHead(404).end("{}");
  response.setHeader("content-type", id === "ecb" ? "text/xml" : "application/json").end(text);
}

/** Runs a control call. Its first parameter is the name of a source, or null for all of them. */
function control(moods: ReadonlyMap<string, Mood>, now: () => number, method: string, params: readonly unknown[]) {
  const change = (source: string | null | undefined, changes: Partial<Mood>) => {
    for (const [id, mood] of moods) if (source == null || source === id) Object.assign(mood, changes);
    return true;
  };
  switch (method) {
    case "rates_stop":
      return change(Source.parse(params[0]), { isStopped: true });
    case "rates_freeze":
      return change(Source.parse(params[0]), { frozenAt: now() });
    case "rates_jump": {
      const [source, factor] = Jump.parse(params);
      return change(source, { factor });
    }
    case "rates_go":
      return change(Source.parse(params[0]), { isStopped: false, frozenAt: null, factor: 1 });
    default:
      throw new RpcProblem(-32601, "Method not found");
  }
}

/** Returns the response in the format of the requested source; null if the source does not have the data. */
function answerOf(id: string, query: URLSearchParams, { frozenAt, factor }: Mood, nowMs: number): string | null {
  const atMs = frozenAt ?? nowMs;
  const wave = 1 + WAVE * Math.sin((2 * Math.PI * atMs) / WAVE_MS);
  const price = (token: string, fiat: string): string | null => {
    const inUsd = TOKEN_IN_USD[token];
    const usdIn = BANK_ONLY.includes(fiat) ? undefined : USD_IN[fiat];
    return inUsd === undefined || usdIn === undefined ? null : (inUsd * usdIn * wave * factor).toFixed(8);
  };
  switch (id) {
    case "coinbase":
      return coinbase(query.get("currency") ?? "", price);
    case "kraken":
      return kraken(query.get("pair") ?? "", price);
    case "coingecko":
      return coingecko(query, price, atMs);
    default:
      return bankFile(atMs, factor);
  }
}

type PriceOf = (token: string, fiat: string) => string | null;

function coinbase(currency: string, price: PriceOf): string {
  const rates = Object.keys(USD_IN).flatMap((fiat) => {
    const rate = price(currency, fiat);
    return rate === null ? [] : [[fiat, rate]];
  });
  return JSON.stringify({ data: { currency, rates: Object.fromEntries(rates) } });
}

function kraken(pair: string, price: PriceOf): string {
  const token = CURRENCIES.find((name) => pair.startsWith(name)) ?? "";
  const fiat = pair.slice(token.length);
  const last = price(token, fiat);
  if (last === null) return JSON.stringify({ error: ["EQuery:Unknown asset pair"] });
  const key = fiat === "USD" ? `${token}Z${fiat}` : pair;
  return JSON.stringify({ error: [], result: { [key]: { a: [last, "1", "1.000"], c: [last, "25.5"], t: [10, 20] } } });
}

function coingecko(query: URLSearchParams, price: PriceOf, atMs: number): string {
  const list = (name: string) => (query.get(name) ?? "").split(",").filter(Boolean);
  const coins = list("ids").map((coin) => {
    const numbers = list("vs_currencies").flatMap((fiat) => {
      const rate = price(coin, fiat.toUpperCase());
      return rate === null ? [] : [[fiat, Number(rate)]];
    });
    return [coin, { ...Object.fromEntries(numbers), last_updated_at: Math.floor(atMs / 1_000) }];
  });
  return JSON.stringify(Object.fromEntries(coins));
}

function bankFile(atMs: number, factor: number): string {
  const euroInUsd = 1 / (USD_IN["EUR"] ?? 1);
  const lines = Object.entries(USD_IN)
    .filter(([fiat]) => fiat !== "EUR" && fiat !== "KWD" && fiat !== "BHD")
    .map(([fiat, usdIn]) => `<Cube currency='${fiat}' rate='${(euroInUsd * usdIn * factor).toFixed(4)}'/>`);
  const date = new Date(atMs).toISOString().slice(0, 10);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">',
    `<Cube><Cube time='${date}'>`,
    ...lines,
    "</Cube></Cube></gesmes:Envelope>",
  ].join("\n");
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
