import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import * as z from "zod";
import type { Random } from "@/chaos/plan/random";

/** The events that a merchant's server received about one order. */
export interface Reported {
  /** The distinct ids of events with a valid signature. */
  events: Set<string>;
  deliveries: number;
  paidAmount: string;
}

/** A merchant's server that receives callbacks and sometimes fails to acknowledge them. */
export interface CallbackShop {
  /** The URL without a path. */
  url: string;
  reported: ReadonlyMap<string, Reported>;
  /** The events from before the database was restored, by the id of an order. */
  deliveredBefore: ReadonlyMap<string, Reported>;
  /** Moves all events received so far to `deliveredBefore`, because their database was replaced. */
  restart(): void;
  /** The number of callbacks with an invalid signature or an unreadable body. */
  refused: number;
  /** True if it sometimes fails to acknowledge callbacks; false if it responds to each with 200. */
  isMoody: boolean;
  stop(): Promise<void>;
}

const Event = z.object({
  id: z.string(),
  type: z.literal("payment.confirmed"),
  data: z.object({ trade_id: z.string(), status: z.literal("paid"), paid_amount: z.union([z.number(), z.string()]) }),
});

/** Starts the merchants' server. Each merchant has its own path, and `secretOf` returns its secret. */
export async function startCallbackShop(secretOf: (path: string) => string, random: Random): Promise<CallbackShop> {
  const reported = new Map<string, Reported>();
  const deliveredBefore = new Map<string, Reported>();
  const shop: CallbackShop = {
    url: "",
    reported,
    deliveredBefore,
    refused: 0,
    isMoody: true,
    restart() {
      for (const [id, one] of reported) {
        const { events, deliveries } = deliveredBefore.get(id) ?? { events: [], deliveries: 0 };
        const both = { events: new Set([...events, ...one.events]), deliveries: deliveries + one.deliveries };
        deliveredBefore.set(id, { ...one, ...both });
      }
      reported.clear();
    },
    stop: async () => {},
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = Object.fromEntries(new Headers(request.headers as Record<string, string>));
    const event = verify(secretOf(request.url ?? ""), Buffer.concat(chunks).toString(), headers);
    if (!event) shop.refused += 1;
    else note(reported, event);
    const isFirst = event !== null && reported.get(event.data.trade_id)?.deliveries === 1;
    // A second failure would delay the next attempt by half a minute, a third by two minutes.
    if (shop.isMoody && isFirst && random.chance(0.3)) fail(response, random);
    else response.writeHead(event ? 200 : 400).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  shop.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  shop.stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return shop;
}

function verify(secret: string, body: string, headers: Record<string, string>): z.infer<typeof Event> | null {
  try {
    return Event.parse(new Webhook(secret).verify(body, headers));
  } catch {
    return null;
  }
}

function note(reported: Map<string, Reported>, { id, data }: z.infer<typeof Event>): void {
  const known = reported.get(data.trade_id) ?? { events: new Set<string>(), deliveries: 0, paidAmount: "" };
  known.events.add(id);
  reported.set(data.trade_id, { ...known, deliveries: known.deliveries + 1, paidAmount: String(data.paid_amount) });
}

/** Fails to acknowledge a callback that the server received, so that the same event must be delivered again. */
function fail(response: ServerResponse, random: Random): void {
  if (random.chance(0.3)) response.destroy();
  else response.writeHead(random.pick([500, 503, 404])).end();
}
