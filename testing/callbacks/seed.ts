import { sql } from "drizzle-orm";
import pino from "pino";
import type { Db } from "@/db/client";
import type { SenderContext } from "@/lib/callbacks/callback-sender";
import { createCallbackSigner } from "@/lib/callbacks/sign-callback";
import { callbackOrigin } from "@/lib/domain/callbacks/callback";
import { newId } from "@/lib/domain/id";
import { type DetailData, exactNumber } from "@/lib/domain/orders/order-wire";
import { INSTALLED } from "@/lib/integrations/installed";
import { TEST_APP_SECRET } from "@/testing/database/seed";

const log = pino({ level: "silent" });

/** The signing context of callbacks in tests. */
export const signingContext = {
  appSecret: TEST_APP_SECRET,
  environment: "production",
  log,
  integrations: INSTALLED,
} as const;

/** Returns the context of a sender in tests: loopback is allowed, `now` is the time, and there is no jitter. */
export function senderContext(db: Db, now: () => Date, change: Partial<SenderContext> = {}): SenderContext {
  return {
    sign: createCallbackSigner(db, signingContext),
    integrations: INSTALLED,
    allowCidrs: ["127.0.0.0/8"],
    version: "1.2.3",
    owner: "test",
    log,
    random: () => 0.5,
    now,
    ...change,
  };
}

/** Returns an order in the format of the merchant API, with the given changes. */
export function detailData(change: Partial<DetailData> = {}): DetailData {
  return {
    trade_id: "01k",
    mch_order_id: "A-1",
    currency: "USDT",
    network: "bsc",
    amount: exactNumber("10.5"),
    actual_amount: exactNumber("10.5001"),
    address: "0x58A5",
    expiration_time: 1,
    expires_at: 1,
    payment_url: "https://pay.example.com/pay/01k",
    status: "paid",
    exception: null,
    tx_hash: "0xabc",
    paid_amount: exactNumber("10.5001"),
    transfers: [],
    notify_url: null,
    redirect_url: null,
    subject: null,
    callback: { status: "pending", attempts: 0, last_http_status: null, delivered_at: null },
    metadata: null,
    created_at: 1,
    paid_at: 1,
    version: 2,
    ...change,
  };
}

interface CallbackSeed {
  merchantId: string;
  url: string;
  count?: number;
  status?: "pending" | "failed";
}

/** Creates callbacks that are due at `at`, each of a paid order without a quote. @returns their ids */
export async function seedCallbacks(db: Db, seed: CallbackSeed, at: Date): Promise<string[]> {
  const status = seed.status ?? "pending";
  const series = newId(at);
  const body = JSON.stringify({ type: "payment.confirmed", data: { mch_order_id: "é" } });
  const due = status === "pending" ? at.toISOString() : null;
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`
      insert into orders (id, merchant_id, mch_order_id, network, currency, amount_units, quote_id, status, expires_at,
        created_at, changed_at, paid_at)
      select 'order' || ${series} || n, ${seed.merchantId}, ${series} || n, 'bsc', 'USDT', 1, '', 'paid', moment, moment, moment, moment
      from generate_series(1, ${seed.count ?? 1}::int) n, (values (${at.toISOString()}::timestamptz)) times (moment)`);
    const rows = await tx.execute<{ id: string }>(sql`
      insert into callbacks (id, merchant_id, order_id, type, url, origin, body, status, next_attempt_at, created_at)
      select 'evt_' || ${series} || n, ${seed.merchantId}, 'order' || ${series} || n, 'payment.confirmed', ${seed.url},
        ${callbackOrigin(seed.url)}, ${body}, ${status}, ${due}::timestamptz, ${at.toISOString()}::timestamptz
      from generate_series(1, ${seed.count ?? 1}::int) n returning id`);
    return rows.map((row) => row.id);
  });
}
