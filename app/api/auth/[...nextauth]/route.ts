import NextAuth from "next-auth";
import { authOptions } from "@/app/auth-options";
import { keepDevice, knownDevice } from "@/app/device-cookie";
import { keepTicket } from "@/app/session";
import { unknownApiPath } from "@/app/unknown-api-path";

interface RouteContext {
  params: Promise<{ nextauth: string[] }>;
}

/** What signing in and out needs; next-auth's other pages (such as its log for strangers) do not exist here. */
const ACTIONS = new Set(["csrf", "providers", "signin", "signout", "callback", "error"]);

async function handler(request: Request, context: RouteContext): Promise<Response> {
  const [action = ""] = (await context.params).nextauth;
  if (!ACTIONS.has(action)) return unknownApiPath(request);
  return NextAuth(authOptions({ keepTicket, knownDevice, keepDevice }))(request, context);
}

export { handler as GET, handler as POST };
