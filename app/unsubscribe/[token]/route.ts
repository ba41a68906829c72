import { getContext } from "@/app/context";
import { languageFor } from "@/components/messages/languages";
import { unsubscribePage } from "@/components/notifications/unsubscribe-page";
import { problem } from "@/lib/domain/problems/problem";
import { problemResponse } from "@/lib/http/public-problem";
import { readUnsubscribeToken, unsubscribe } from "@/lib/notifications/unsubscribe";

interface Asked {
  params: Promise<{ token: string }>;
}

/** Renders the confirmation page for the link of an email. */
export async function GET(request: Request, { params }: Asked): Promise<Response> {
  const { env, now, visitors } = getContext();
  const wait = visitors.view(request, now());
  if (wait > 0) return problemResponse(problem("too_many_views", { seconds: wait }));
  const choice = readUnsubscribeToken(env.appSecret, (await params).token);
  return page(request, choice && { kind: choice.kind, isDone: false });
}

/** Unsubscribes a recipient who clicked the button on the page, or used one-click unsubscribe in an email client (RFC 8058). */
export async function POST(request: Request, { params }: Asked): Promise<Response> {
  const { env, pool, now, visitors } = getContext();
  const wait = visitors.view(request, now());
  if (wait > 0) return problemResponse(problem("too_many_views", { seconds: wait }));
  const { token } = await params;
  const kind = await unsubscribe(pool.db, env.appSecret, token);
  return page(request, kind && { kind, isDone: true });
}

function page(request: Request, state: Parameters<typeof unsubscribePage>[1]): Response {
  const language = languageFor(undefined, request.headers.get("accept-language"));
  const headers = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" };
  return new Response(unsubscribePage(language, state), { status: state ? 200 : 404, headers });
}
