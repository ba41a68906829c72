import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A span as a collector receives it. */
export interface CollectedSpan {
  service: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  links: { traceId: string; spanId: string }[];
  status: { code?: number };
  facts: Record<string, string | number | boolean>;
}

export interface Collector {
  url: string;
  /** All received bodies, as sent. */
  bodies: string[];
  headers: IncomingHttpHeaders[];
  spans(): CollectedSpan[];
  close(): void;
}

interface Value {
  stringValue?: string;
  intValue?: number | string;
  doubleValue?: number;
  boolValue?: boolean;
}
type Attributes = { key: string; value: Value }[];
interface Export {
  resourceSpans: { resource: { attributes: Attributes }; scopeSpans: { spans: RawSpan[] }[] }[];
}
type RawSpan = Omit<CollectedSpan, "facts" | "service" | "links"> & {
  attributes?: Attributes;
  links?: CollectedSpan["links"];
};

const readValue = ({ stringValue, intValue, doubleValue, boolValue }: Value) =>
  stringValue ?? (intValue === undefined ? undefined : Number(intValue)) ?? doubleValue ?? boolValue ?? "";
const factsOf = (attributes: Attributes = []) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, readValue(value)]));

/**
 * Starts a collector that receives OTLP over HTTP, in JSON.
 * @param isSilent true to accept batches and never respond
 */
export async function startCollector({ isSilent = false } = {}): Promise<Collector> {
  const [bodies, headers]: [string[], IncomingHttpHeaders[]] = [[], []];
  const server = createServer(async (request, response) => {
    bodies.push(`${request.url}\n${await text(request)}`);
    headers.push(request.headers);
    if (!isSilent) response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    headers,
    spans: () =>
      bodies.flatMap((body) =>
        (JSON.parse(body.slice(body.indexOf("\n"))) as Export).resourceSpans.flatMap(({ resource, scopeSpans }) =>
          scopeSpans.flatMap(({ spans }) =>
            spans.map(({ attributes, links = [], ...span }) => ({
              ...span,
              links,
              service: String(factsOf(resource.attributes)["service.name"]),
              facts: factsOf(attributes),
            })),
          ),
        ),
      ),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
