/** @jsxImportSource hono/jsx */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { streamSSE } from "hono/streaming";
import { Feed } from "@/sandbox/shop/feed";
import { eventsOf, Journal } from "@/sandbox/shop/journal";
import { type ShopNetwork, ShopPage, ThanksPage } from "@/sandbox/shop/page";
import { choose } from "@/sandbox/shop/products";
import { refundByApi } from "@/sandbox/shop/protocols/merchant-api";
import { buy, PROTOCOLS, type Protocol, receive, type ShopAccess } from "@/sandbox/shop/protocols/protocol";

interface ShopOptions extends ShopAccess {
  /** The file of orders and callbacks. */
  journalFile: string;
  dashboardUrl: string;
  /** The networks that a buyer can choose. */
  networks: readonly ShopNetwork[];
}

const MAX_BODY = 256 * 1024;
const PING_MS = 15_000;

/** Starts the demo shop on a free loopback port: a merchant's server that uses Stablegate only through its public API and integrations. */
export async function startShop(options: ShopOptions): Promise<{ url: string; close(): Promise<void> }> {
  const journal = new Journal(options.journalFile);
  const app = new Hono();
  const server = createAdaptorServer({ fetch: app.fetch });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  app.use(bodyLimit({ maxSize: MAX_BODY }));
  addPages(app, journal, options);
  addBuying(app, journal, options, url);
  addRefunds(app, journal, options);
  addCallbacks(app, journal, options);
  return {
    url,
    close: async () => {
      server.close();
      if ("closeAllConnections" in server) server.closeAllConnections();
    },
  };
}

function addPages(app: Hono, journal: Journal, { dashboardUrl, networks, baseUrl }: ShopOptions): void {
  const shop = { journal, networks, dashboardUrl, baseUrl };
  app.get("/", (c) => c.html(<ShopPage {...shop} />));
  app.get("/thanks", (c) => {
    const { trade_id, trade_no, order: mchOrderId } = c.req.query();
    const order = journal.orders.find((one) => one.tradeId === (trade_id ?? trade_no) || one.mchOrderId === mchOrderId);
    return c.html(<ThanksPage journal={journal} order={order} />);
  });
  app.get("/feed", (c) => c.html(<Feed journal={journal} />));
  app.get("/events", (c) =>
    streamSSE(c, async (stream) => {
      const stop = journal.onChange(() => void stream.writeSSE({ event: "changed", data: "" }));
      stream.onAbort(stop);
      while (!stream.aborted) {
        await stream.writeSSE({ event: "ping", data: "" });
        await stream.sleep(PING_MS);
      }
    }),
  );
}

function addBuying(app: Hono, journal: Journal, options: ShopOptions, url: string): void {
  app.post("/buy", async (c) => {
    const form = await c.req.formData();
    const field = (name: string) => String(form.get(name) ?? "");
    const chosen = choose(field("product"), field("amount"));
    const { networks, dashboardUrl, baseUrl } = options;
    const isHere = c.req.header("accept") === "application/json";
    const shop = { journal, networks, dashboardUrl, baseUrl };
    const refuse = (problem: string, status: 400 | 502) =>
      isHere ? c.json({ problem }, status) : c.html(<ShopPage {...shop} problem={problem} />, status);
    if (!chosen) return refuse("Enter an amount such as 12.50, with at most 6 decimals.", 400);
    const currency = field("currency");
    const network = field("network");
    const mchOrderId = `shop-${randomBytes(6).toString("hex")}`;
    const protocol = PROTOCOLS.find((one) => one === field("protocol")) ?? "api";
    const urls = { notifyUrl: `${url}${callbackPath(protocol)}`, backUrl: `${url}/thanks` };
    const wanted = { currency, network, ...chosen, mchOrderId, ...urls };
    try {
      const { tradeId, paymentUrl, due } = await buy(options, protocol, wanted);
      journal.add({
        kind: "order",
        mchOrderId,
        tradeId,
        title: chosen.title,
        due,
        network: networks.find(({ id }) => id === network)?.name ?? network,
        paymentUrl,
        protocol,
        at: new Date().toISOString(),
      });
      return isHere ? c.json({ paymentUrl }) : c.redirect(paymentUrl, 303);
    } catch (error) {
      return refuse(`The order could not be created. ${error instanceof Error ? error.message : error}`, 502);
    }
  });
}

/** The shop's own "Refund" button: its server requests the refund, and shows the link for the customer beside the order. */
function addRefunds(app: Hono, journal: Journal, options: ShopOptions): void {
  app.post("/refund", async (c) => {
    const tradeId = String((await c.req.formData()).get("trade_id") ?? "");
    const order = journal.orders.find((one) => one.tradeId === tradeId);
    const { networks, dashboardUrl, baseUrl } = options;
    const shop = { journal, networks, dashboardUrl, baseUrl };
    const refuse = (problem: string, status: 400 | 502) => c.html(<ShopPage {...shop} problem={problem} />, status);
    if (!order) return refuse("This order is unknown.", 400);
    try {
      const refund = await refundByApi(baseUrl, options, order);
      journal.add({ kind: "refund", tradeId, ...refund, at: new Date().toISOString() });
      return c.redirect("/", 303);
    } catch (error) {
      return refuse(`The refund could not be requested. ${error instanceof Error ? error.message : error}`, 502);
    }
  });
}

const callbackPath = (protocol: Protocol) => (protocol === "api" ? "/callbacks" : `/callbacks/${protocol}`);

function addCallbacks(app: Hono, journal: Journal, access: ShopAccess): void {
  for (const protocol of PROTOCOLS) {
    // EPay sends callbacks by GET, with all fields in the query.
    app.on(protocol === "epay" ? "GET" : "POST", callbackPath(protocol), async (c) => {
      const headers = Object.fromEntries(c.req.raw.headers);
      const body = protocol === "epay" ? new URL(c.req.url).search.slice(1) : await c.req.text();
      const { verified, events, status, answer } = receive(access, protocol, { headers, body });
      const received_at = new Date().toISOString();
      journal.add({ kind: "callback", protocol, headers, body, verified, events, received_at });
      return c.text(answer, status);
    });
  }
  app.get("/callbacks", (c) =>
    c.json(
      journal.callbacks.map((callback) => {
        const { kind, events, ...shown } = callback;
        return { ...shown, event: eventsOf(callback)?.type ?? null };
      }),
    ),
  );
}
