/** @jsxImportSource hono/jsx */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { streamSSE } from "hono/streaming";
import { eventOf, receiveCallback } from "@/sandbox/shop/callback-receipt";
import { Feed } from "@/sandbox/shop/feed";
import { Journal } from "@/sandbox/shop/journal";
import { type ApiAccess, createOrder } from "@/sandbox/shop/merchant-api";
import { type ShopNetwork, ShopPage, ThanksPage } from "@/sandbox/shop/page";
import { choose } from "@/sandbox/shop/products";

interface ShopOptions extends ApiAccess {
  /** Where orders and callbacks are kept. */
  journalFile: string;
  dashboardUrl: string;
  /** What a buyer can choose from. */
  networks: readonly ShopNetwork[];
}

const MAX_BODY = 256 * 1024;
const PING_MS = 15_000;

/** Starts the demo shop on a free loopback port: a merchant's server that knows Stablegate only by its public API. */
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
  addCallbacks(app, journal, options.apiSecret);
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
    const order = journal.orders.find((candidate) => candidate.tradeId === c.req.query("trade_id"));
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
    const [currency, network] = [field("currency"), field("network")];
    const mchOrderId = `shop-${randomBytes(6).toString("hex")}`;
    const urls = { notify_url: `${url}/callbacks`, redirect_url: `${url}/thanks` };
    try {
      const order = { currency, network, amount: chosen.amount, mch_order_id: mchOrderId, ...urls };
      const { trade_id: tradeId, actual_amount, payment_url: paymentUrl } = await createOrder(options, order);
      const due = `${actual_amount} ${currency}`;
      journal.add({
        kind: "order",
        mchOrderId,
        tradeId,
        title: chosen.title,
        due,
        network: networks.find(({ id }) => id === network)?.name ?? network,
        paymentUrl,
        at: new Date().toISOString(),
      });
      return isHere ? c.json({ paymentUrl }) : c.redirect(paymentUrl, 303);
    } catch (error) {
      return refuse(`The order could not be created. ${error instanceof Error ? error.message : error}`, 502);
    }
  });
}

function addCallbacks(app: Hono, journal: Journal, secret: string): void {
  app.post("/callbacks", async (c) => {
    const callback = receiveCallback(secret, c.req.raw.headers, await c.req.text(), new Date());
    journal.add(callback);
    return callback.verified ? c.text("ok") : c.text("The signature does not fit", 401);
  });
  app.get("/callbacks", (c) =>
    c.json(
      journal.callbacks.map((callback) => {
        const { kind, ...shown } = callback;
        return { ...shown, event: eventOf(callback)?.type ?? null };
      }),
    ),
  );
}
