import { type Fault, passOn } from "@/chaos/faults/fault-proxy";
import type { Random } from "@/chaos/plan/random";

const HTML = "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>";

const respond =
  (status: number, body: string, headers: Record<string, string> = {}): Fault =>
  async ({ response }) => {
    response.writeHead(status, headers).end(body);
  };

/** Applies a fault to half of all requests, which is harder to distinguish from a working endpoint than a complete failure. */
const sometimes =
  (fault: Fault) =>
  (random: Random): Fault =>
  (exchange) =>
    random.chance(0.5) ? fault(exchange) : passOn(exchange);

/** The faults of an endpoint of any family that do not concern the chain's data. */
export const TRANSPORT_FAULTS: Readonly<Record<string, (random: Random) => Fault>> = {
  "429": () => respond(429, "Too Many Requests"),
  "429 with Retry-After": () => respond(429, "Too Many Requests", { "retry-after": "2" }),
  "403": () => respond(403, "Forbidden"),
  "HTML with status 200": () => respond(200, HTML, { "content-type": "text/html" }),
  "HTML with status 502": () => respond(502, HTML, { "content-type": "text/html" }),
  "HTML now and then": sometimes(respond(200, HTML, { "content-type": "text/html" })),
  "truncated JSON": () => respond(200, '{"jsonrpc":"2.0","id":1,"result":[{"addr'),
  "null for everything": () => respond(200, '{"jsonrpc":"2.0","id":1,"result":null}'),
  "an internal error": () => respond(200, '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"oops"}}'),
  "cut connections":
    () =>
    async ({ response }) =>
      void response.destroy(),
  "no answer": () => () => new Promise(() => {}),
  "no answer now and then": sometimes(() => new Promise(() => {})),
};
