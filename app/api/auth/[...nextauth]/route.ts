import NextAuth from "next-auth";
import { authOptions } from "@/app/auth-options";

interface RouteContext {
  params: Promise<{ nextauth: string[] }>;
}

const handler = (request: Request, context: RouteContext): Promise<Response> =>
  NextAuth(authOptions())(request, context);

export { handler as GET, handler as POST };
