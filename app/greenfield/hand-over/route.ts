import { getContext } from "@/app/context";
import { LANGUAGE_COOKIE, languageFor } from "@/components/messages/languages";
import type { ApiCall } from "@/lib/http/api-call";
import { replyRoute } from "@/lib/http/reply";
import { openHandOver } from "@/lib/integrations/greenfield/hand-over";
import { handOverHeaders, handOverPage } from "@/lib/integrations/greenfield/hand-over-page";

const CHOSEN = new RegExp(`(?:^|; )${LANGUAGE_COOKIE}=(\\w+)`);

/** Brings a token to the application that it was given to, by the form that BTCPay Server sends: apiKey, userId, permissions[]. */
export const POST = replyRoute<object>(async (call) => {
  const { env, now } = getContext();
  const chosen = CHOSEN.exec(call.header("cookie") ?? "")?.[1];
  const language = languageFor(chosen, call.header("accept-language"));
  const handOver = openHandOver(env.appSecret, await readTicket(call), now());
  if (!handOver) return { status: 400, headers: handOverHeaders(null), body: handOverPage(language, null) };
  const { redirect, apiKey, userId, permissions } = handOver;
  const names = permissions.map((name) => ["permissions[]", name] as const);
  const fields = [["apiKey", apiKey], ["userId", userId], ...names] as const;
  const body = handOverPage(language, { redirect, fields });
  return { status: 200, headers: handOverHeaders(redirect), body };
});

/** Of a form of our own page alone: another site's is taken for none. */
async function readTicket(call: ApiCall): Promise<string> {
  const from = call.header("sec-fetch-site");
  if (from !== null && from !== "same-origin") return "";
  const body = await call.readBody().catch(() => new Uint8Array());
  return new URLSearchParams(new TextDecoder().decode(body)).get("ticket") ?? "";
}
