/** Answers a request; `params` are the named parts of its path, decoded. */
export type Handler = (request: Request, params: Readonly<Record<string, string>>) => Response | Promise<Response>;

/** Method, path pattern and handler. `/pay/{tradeId}` takes one part, `/files/{path...}` all the rest, even none. */
export type Route = readonly [method: string, pattern: string, handler: Handler];

export interface Match {
  handler: Handler;
  params: Readonly<Record<string, string>>;
}

/** What is found at a path: what to run, or which methods would be right, or null where nothing is. */
export type Found = Match | { allowed: string[] } | null;

interface Place {
  regex: RegExp;
  methods: Map<string, Handler>;
}

/** Finds routes by path. Exact paths come first, then patterns in their order. */
export function createRouter(routes: readonly Route[]): { find(method: string, path: string): Found } {
  const exact = new Map<string, Map<string, Handler>>();
  const places = new Map<string, Place>();
  for (const [method, pattern, handler] of routes) {
    if (pattern.includes("{")) {
      const place = places.get(pattern) ?? { regex: regexOf(pattern), methods: new Map() };
      place.methods.set(method, handler);
      places.set(pattern, place);
    } else {
      exact.set(pattern, (exact.get(pattern) ?? new Map()).set(method, handler));
    }
  }
  return {
    find(method, path) {
      const methods = exact.get(path);
      if (methods) return choose(methods, method, {});
      for (const { regex, methods } of places.values()) {
        const match = regex.exec(path);
        if (match) return choose(methods, method, decode(match.groups ?? {}));
      }
      return null;
    },
  };
}

function choose(methods: Map<string, Handler>, method: string, params: Record<string, string>): Found {
  const handler = methods.get(method) ?? (method === "HEAD" ? methods.get("GET") : undefined);
  return handler ? { handler, params } : { allowed: [...methods.keys()] };
}

function regexOf(pattern: string): RegExp {
  const parts = pattern.split(/(\/\{\w+\.\.\.\}|\{\w+\})/);
  const source = parts.map((part) => {
    const rest = /^\/\{(\w+)\.\.\.\}$/.exec(part)?.[1];
    if (rest) return `(?:/(?<${rest}>.*))?`;
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    return name ? `(?<${name}>[^/]+)` : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${source.join("")}$`);
}

/** A part that is not valid percent-encoding stays as it is: it names nothing that exists. */
function decode(groups: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodePart(value ?? "")]));
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
