import type { ApiCall } from "@/lib/http/api-call";
import type { IntegrationContext, IntegrationRequest } from "@/lib/http/integration-routes";
import type { Reply } from "@/lib/http/reply";
import { connectionHeaders, connectionPage } from "@/lib/integrations/greenfield/connection-page";
import { openConnection } from "@/lib/integrations/greenfield/connection-ticket";

/** Delivers a token to the application that it was issued to, with the form that BTCPay Server sends: apiKey, userId, permissions[]. */
export async function answerConnectionPage(ctx: IntegrationContext, { call, now }: IntegrationRequest): Promise<Reply> {
  const language = ctx.officeLanguage(call);
  const connection = openConnection(ctx.api.env.appSecret, await readTicket(call), now);
  if (!connection) return { status: 400, headers: connectionHeaders(null), body: connectionPage(language, null) };
  const { redirect, apiKey, userId, permissions } = connection;
  const names = permissions.map((name) => ["permissions[]", name] as const);
  const fields = [["apiKey", apiKey], ["userId", userId], ...names] as const;
  const body = connectionPage(language, { redirect, fields });
  return { status: 200, headers: connectionHeaders(redirect), body };
}

/** Returns the ticket from a form of this service; "" if the form is from a different site. */
async function readTicket(call: ApiCall): Promise<string> {
  const from = call.header("sec-fetch-site");
  if (from !== null && from !== "same-origin") return "";
  const body = await call.readBody().catch(() => new Uint8Array());
  return new URLSearchParams(new TextDecoder().decode(body)).get("ticket") ?? "";
}
