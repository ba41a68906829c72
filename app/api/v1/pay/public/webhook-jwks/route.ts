import { type Context, getContext } from "@/app/context";
import { listPublicKeys } from "@/lib/callbacks/signing-keys";
import { refuseForNow, TOO_MANY_VIEWS } from "@/lib/http/visitors";

const RETRY_SECONDS = 5;

/** An hour is well below the day for which a key is shown before it signs. */
const HEADERS = { "Cache-Control": "public, max-age=3600", "X-Content-Type-Options": "nosniff" };

type Keys = Awaited<ReturnType<typeof listPublicKeys>>;

/** Of a cell whose database is away the keys that were read last still verify its callbacks. */
const readLast = new WeakMap<Context, Keys>();

const placesOf = (context: Context) => (context.cells ? [...context.cells.values()] : [context]);

/** @throws where a cell cannot be asked that never could: without its keys the answer would be wrong for an hour */
async function keysOf(place: Context, time: Date): Promise<Keys> {
  try {
    const keys = await listPublicKeys(place.pool.db, place.env.appSecret, time);
    if (place.cells !== null || getContext().cells !== null) readLast.set(place, keys);
    return keys;
  } catch (error) {
    const last = readLast.get(place);
    if (!last) throw error;
    place.log.error({ err: error }, "the public keys of a cell are those that were read last");
    return last;
  }
}

/** The public keys of this installation, by which anybody can verify its callbacks. */
export async function GET(request: Request): Promise<Response> {
  const context = getContext();
  const { now, log, visitors } = context;
  const time = now();
  const wait = visitors.view(request, time);
  if (wait > 0) return refuseForNow(TOO_MANY_VIEWS, wait);
  try {
    const all = await Promise.all(placesOf(context).map((place) => keysOf(place, time)));
    return Response.json({ keys: all.flatMap(({ keys }) => keys) }, { headers: HEADERS });
  } catch (error) {
    log.error({ err: error }, "the public keys could not be read");
    return refuseForNow("The keys cannot be read right now", RETRY_SECONDS, 503);
  }
}
