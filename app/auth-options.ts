import type { NextAuthOptions } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import { type Context, getContext } from "@/app/context";
import { addressNetwork, clientAddress } from "@/lib/http/visitors";
import { deriveKey } from "@/lib/merchants/vault";
import { signIn } from "@/lib/people/sign-in";

const SESSION_SECONDS = 7 * 24 * 3600;

declare module "next-auth" {
  interface User {
    epoch: number;
  }
  interface Session {
    userId: string;
    epoch: number;
  }
}

declare module "next-auth/jwt" {
  interface JWT {
    epoch: number;
  }
}

/** How people sign in, for next-auth. A session token carries the person's id and session epoch and nothing else. */
export function authOptions(): NextAuthOptions {
  const context = getContext();
  // next-auth takes its own address from this variable alone.
  process.env["NEXTAUTH_URL"] = context.env.publicUrl;
  return {
    secret: sessionSecret(context),
    useSecureCookies: isSecure(context),
    session: { strategy: "jwt", maxAge: SESSION_SECONDS },
    pages: { signIn: "/login", error: "/login" },
    logger: {
      error: (code, metadata) => context.log.error({ code, metadata }, "next-auth"),
      warn: (code) => context.log.debug({ code }, "next-auth"),
      debug: () => {},
    },
    providers: [credentials(context)],
    callbacks: {
      jwt: ({ token, user }) => (user ? { sub: user.id, epoch: user.epoch } : token),
      session: ({ session, token }) => ({ expires: session.expires, userId: token.sub ?? "", epoch: token.epoch }),
    },
  };
}

function credentials(context: Context) {
  return CredentialsProvider({
    credentials: { email: {}, password: {} },
    async authorize(given, request) {
      const ip = addressNetwork(
        clientAddress(String(request.headers?.["x-forwarded-for"] ?? ""), context.env.trustedProxies),
      );
      const form = { email: given?.email ?? "", password: given?.password ?? "", ip };
      const answer = await signIn(context.pool.db, form, context.now()).catch((error: unknown) => {
        // next-auth shows the words of any error to the browser.
        context.log.error({ err: error }, "nobody can sign in");
        throw new Error("away");
      });
      if ("person" in answer) return { id: answer.person.id, epoch: answer.person.sessionEpoch };
      if (answer.problem === "tooMany") throw new Error(`tooMany:${Math.ceil(answer.retryAfterMs / 1000)}`);
      return null;
    },
  });
}

/** The session cookie of a person, as next-auth reads it back. */
export function sessionCookie(context: Context) {
  const isHttps = isSecure(context);
  return {
    name: isHttps ? "__Secure-next-auth.session-token" : "next-auth.session-token",
    secret: sessionSecret(context),
    maxAge: SESSION_SECONDS,
    options: { httpOnly: true, sameSite: "lax", path: "/", secure: isHttps, maxAge: SESSION_SECONDS },
  } as const;
}

function sessionSecret({ env }: Context): string {
  return deriveKey(env.appSecret, "session").toString("base64");
}

function isSecure({ env }: Context): boolean {
  return env.publicUrl.startsWith("https:");
}
