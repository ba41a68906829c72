/** @jsxImportSource hono/jsx */
import { eventsOf, type Journal, type ShopCallback, type ShopOrder } from "@/sandbox/shop/journal";
import { NAMES } from "@/sandbox/shop/protocols/protocol";

const SHOWN = 12;

/** Renders orders and callbacks, newest first. This part of the page refreshes by itself. */
export function Feed({ journal }: { journal: Journal }) {
  const received = journal.callbacks.map(eventsOf).flatMap((events) => events ?? []);
  const paid = new Set(received.map(({ tradeId }) => tradeId));
  const refunded = new Set(
    received.flatMap(({ type, tradeId, mchOrderId, mchRefundId }) =>
      type === "refund.completed" && mchRefundId === mchOrderId ? [tradeId] : [],
    ),
  );
  const orders = journal.orders.slice(-SHOWN).reverse();
  const callbacks = journal.callbacks.slice(-SHOWN).reverse();
  return (
    <>
      <section aria-labelledby="orders-title">
        <h2 id="orders-title">Orders</h2>
        {orders.length === 0 && <p class="empty">No purchases yet.</p>}
        <ul>
          {orders.map((order) => (
            <Order
              key={order.tradeId}
              order={order}
              isPaid={paid.has(order.tradeId)}
              isRefunded={refunded.has(order.tradeId)}
              refund={journal.refundOf(order.tradeId)}
            />
          ))}
        </ul>
      </section>
      <section aria-labelledby="callbacks-title">
        <h2 id="callbacks-title">Callbacks received</h2>
        {callbacks.length === 0 && <p class="empty">They are listed here once a payment is final.</p>}
        <ul>
          {callbacks.map((callback) => (
            <Received key={callback.received_at} callback={callback} />
          ))}
        </ul>
      </section>
    </>
  );
}

interface OrderProps {
  order: ShopOrder;
  isPaid: boolean;
  isRefunded: boolean;
  refund: ReturnType<Journal["refundOf"]>;
}

function Order({ order, isPaid, isRefunded, refund }: OrderProps) {
  const isRefundable = isPaid && !refund && order.protocol === "api";
  return (
    <li>
      <div class="row">
        <strong>{order.title}</strong>
        <span class={isPaid ? "tag good" : "tag"}>{isRefunded ? "Refunded" : isPaid ? "Paid" : "Not paid"}</span>
      </div>
      <div class="row soft">
        <span>
          {order.due} on {order.network}
          {order.protocol === "api" ? "" : ` by ${NAMES[order.protocol]}`}
        </span>
        <a href={order.paymentUrl}>Payment page</a>
      </div>
      {refund && (
        <div class="row soft">
          <span>
            {isRefunded ? "Refunded" : "Refund of"} {refund.due}
          </span>
          <a href={refund.claimUrl}>Claim page for the customer</a>
        </div>
      )}
      <code>{order.tradeId}</code>
      {isRefundable && (
        <form method="post" action="/refund">
          <button type="submit" name="trade_id" value={order.tradeId} class="here">
            Refund order
          </button>
        </form>
      )}
    </li>
  );
}

function Received({ callback }: { callback: ShopCallback }) {
  const events = eventsOf(callback);
  return (
    <li>
      <div class="row">
        <strong>{events?.type ?? "Unknown message"}</strong>
        <span class={callback.verified ? "tag good" : "tag bad"}>
          {callback.verified ? "Signature verified" : "Rejected: invalid signature"}
        </span>
      </div>
      <div class="row soft">
        <time datetime={callback.received_at}>{callback.received_at.slice(11, 19)} UTC</time>
        <span>{events?.mchOrderId ?? ""}</span>
      </div>
      <details id={`${callback.headers["webhook-id"] ?? callback.protocol}-${Date.parse(callback.received_at)}`}>
        <summary>Request</summary>
        <pre tabindex={0}>{pretty(callback)}</pre>
      </details>
    </li>
  );
}

function pretty({ body, protocol }: ShopCallback): string {
  if (protocol === "epay") return JSON.stringify(Object.fromEntries(new URLSearchParams(body)), null, 2);
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
