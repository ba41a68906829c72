import { readEnv } from "@/lib/config/env";
import type { Route } from "@/lib/http/listener";
import { type Outlet, replyRoute, type Streamed } from "@/lib/http/reply";
import { type Pages, startWeb, type WebServer } from "@/server";

export interface VersionOptions {
  /** The environment variables of the web process. */
  settings: Readonly<Record<string, string>>;
  pages: Pages;
  /** The number of this version, starting at 1. */
  number: number;
}

/** Starts one version of the API and the payment page on a free port. */
export async function startVersion({
  settings,
  pages,
  number,
}: VersionOptions): Promise<Pick<WebServer, "port" | "close">> {
  const followers = new Set<Outlet>();
  const env = { ...readEnv({ ...settings }), port: 0 };
  const web = await startWeb({ env, pages, routes: [followVersion(number, followers)] });
  return {
    port: web.port,
    async close() {
      for (const follower of followers) follower.end();
      await web.close();
    },
  };
}

/** Returns the event stream that the payment page follows in development: one event with the number of the version. */
function followVersion(number: number, followers: Set<Outlet>): Route {
  const handler = replyRoute(async (): Promise<Streamed> => {
    let follower: Outlet | null = null;
    return {
      status: 200,
      headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
      begin(outlet) {
        follower = outlet;
        followers.add(outlet);
        outlet.write(`retry: 200\n\ndata: ${number}\n\n`);
      },
      stop() {
        if (follower) followers.delete(follower);
      },
    };
  });
  const route = (request: Request) => handler(request, { params: Promise.resolve({}) });
  return ["GET", "/dev/version", Object.assign(route, { answer: handler.answer })];
}
