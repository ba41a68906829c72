import NextAuth from "next-auth";
import { authOptions } from "@/app/auth-options";
import { keepDevice, knownDevice } from "@/app/device-cookie";
import { keepTicket } from "@/app/session";
import { unknownApiPath } from "@/app/unknown-api-path";

interface RouteContext {
  params: Promise<{ nextauth: string[] }>;
}

/** The actions that sign-in and sign-out need. Other actions of next-auth, such as its log for clients, return 404. */
const ACTIONS = new Set(["csrf", "providers", "signin", "signout", "callback", "error"]);

async function handler(request: Request, context: RouteContext): Promise<Response> {
  const [action = ""] = (await context.params).nextauth;
  if (!ACTIONS.has(action)) return unknownApiPath(request);
  return NextAuth(authOptions({ keepTicket, knownDevice, keepDevice }))(request, context);
}

export { handler as GET, handler as POST };
