import { getOrderContext } from "@/app/context";
import { jsonReply, type Reply, replyRoute } from "@/lib/http/reply";
import { refusal, TOO_MANY_VIEWS } from "@/lib/http/visitors";

const RETRY_SECONDS = 5;
const FULL_SECONDS = 60;
const FULL = {
  address: [429, "This address has too many event streams open; ask for the status instead"],
  process: [503, "Too many event streams are open; ask for the status instead"],
} as const;

/** Tells a payment page whenever its order changed (server-sent events): the version now, and each higher one. */
export const GET = replyRoute<{ tradeId: string }>(async (call, { tradeId }) => {
  const { log, findOrderVersion, orderStreams, visitors, now } = getOrderContext(tradeId);
  const wait = visitors.view(call, now());
  if (wait > 0) return refuse([429, TOO_MANY_VIEWS], wait);
  const place = visitors.openStream(call, now());
  if ("refused" in place) return refuse(FULL[place.refused], FULL_SECONDS);
  const events = orderStreams.open(tradeId, place.close);
  try {
    const version = await findOrderVersion(tradeId);
    if (version !== null) {
      events.changed(version);
      return events.reply();
    }
    events.closed();
    return jsonReply(404, { message: "There is no such order" });
  } catch (error) {
    events.closed();
    log.error({ err: error, tradeId }, "the events of an order could not be opened");
    return refuse([503, "The order cannot be read right now"], RETRY_SECONDS);
  }
});

function refuse([status, why]: readonly [429 | 503, string], retrySeconds: number): Reply {
  const { message, headers } = refusal(why, retrySeconds);
  return jsonReply(status, { message }, headers);
}
