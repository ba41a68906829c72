import type { NextAuthOptions } from "next-auth";
import { decode, type JWTDecodeParams } from "next-auth/jwt";
import CredentialsProvider from "next-auth/providers/credentials";
import { type Context, getContext } from "@/app/context";
import { LANGUAGE_COOKIE, languageFor } from "@/components/messages/languages";
import { addressNetwork, clientAddress } from "@/lib/http/visitors";
import { deriveKey, deriveKeys } from "@/lib/merchants/vault";
import { endSession, SESSION_MS, type Visitor } from "@/lib/users/session";
import { signIn } from "@/lib/users/sign-in";

const SESSION_SECONDS = SESSION_MS / 1_000;

/** The values that sign-in reads from the browser and stores in it. */
interface Browser {
  /** Records in the browser that it completed the first step of sign-in. */
  keepTicket(ticket: string): Promise<void>;
  /** Returns the id of a browser that has signed in to this account before, else null. */
  knownDevice(email: string): Promise<string | null>;
  /** Records in the browser that it signed in to the account. */
  keepDevice(email: string): Promise<void>;
}

/** Returns the next-auth options for sign-in and sign-out. The token contains only the id of a session. */
export function authOptions(browser: Browser): NextAuthOptions {
  const context = getContext();
  // next-auth reads its own URL only from this variable.
  process.env["NEXTAUTH_URL"] = context.env.publicUrl;
  return {
    secret: sessionSecret(context),
    useSecureCookies: isSecure(context),
    cookies: { sessionToken: hostCookie(context, "session-token"), callbackUrl: hostCookie(context, "callback-url") },
    session: { strategy: "jwt", maxAge: SESSION_SECONDS },
    jwt: { decode: (params) => openCookie(context, params) },
    pages: { signIn: "/login", error: "/login" },
    logger: {
      error: (code, metadata) => context.log.error({ code, metadata }, "next-auth"),
      warn: (code) => context.log.debug({ code }, "next-auth"),
      debug: () => {},
    },
    providers: [credentials(context, browser)],
    callbacks: {
      jwt: ({ token, user }) => (user ? { sub: user.id } : token),
      session: ({ session }) => ({ expires: session.expires }),
    },
    events: { signOut: ({ token }) => signOut(token.sub ?? "") },
  };
}

async function signOut(sessionId: string): Promise<void> {
  const { pool, now } = getContext();
  await endSession(pool.db, sessionId, now());
}

function credentials(context: Context, { keepTicket, knownDevice, keepDevice }: Browser) {
  return CredentialsProvider({
    credentials: { email: {}, password: {} },
    async authorize(given, request) {
      const header = (name: string) => String(request.headers?.[name] ?? "");
      const email = given?.email ?? "";
      const password = given?.password ?? "";
      const form = { email, password, ...visitorOf(context, header), device: await knownDevice(email) };
      const answer = await signIn(context.pool.db, form, context.now()).catch((error: unknown) => {
        // next-auth sends the message of any error to the browser.
        context.log.error({ err: error }, "sign-in is unavailable");
        throw new Error("away");
      });
      if ("sessionId" in answer) {
        await keepDevice(email);
        return { id: answer.sessionId };
      }
      if ("ticket" in answer) {
        await keepTicket(answer.ticket);
        throw new Error(`secondStep:${answer.by}`);
      }
      if ("retryAfterMs" in answer) throw new Error(`${answer.problem}:${Math.ceil(answer.retryAfterMs / 1000)}`);
      return null;
    },
  });
}

/** Returns the origin of a request, for rate limits and the list of sessions. */
export function visitorOf({ env }: Context, header: (name: string) => string): Visitor {
  const address = clientAddress(header("x-forwarded-for"), env.trustedProxies);
  const chosen = new RegExp(`(?:^|; )${LANGUAGE_COOKIE}=(\\w+)`).exec(header("cookie"))?.[1];
  const language = languageFor(chosen, header("accept-language") || null);
  return { ip: addressNetwork(address), userAgent: header("user-agent"), language };
}

/** Returns the name, secret and options of the session cookie, in the form that next-auth reads. */
export function sessionCookie(context: Context) {
  const { name, options } = hostCookie(context, "session-token");
  return {
    name,
    secret: sessionSecret(context),
    maxAge: SESSION_SECONDS,
    options: { ...options, maxAge: SESSION_SECONDS },
  } as const;
}

/**
 * Returns the name and options of a cookie. Over https, the `__Host-` prefix restricts it to this host and all its
 * paths (RFC 6265bis, section 4.1.3.2).
 */
function hostCookie(context: Context, name: string) {
  const isHttps = isSecure(context);
  return {
    name: `${isHttps ? "__Host-" : ""}next-auth.${name}`,
    options: { httpOnly: true, sameSite: "lax", path: "/", secure: isHttps },
  } as const;
}

/** Returns the claims of one of our cookies, or null if it has expired or was not signed with one of our secrets. */
export async function openCookie(
  { env }: Pick<Context, "env">,
  { token, salt }: Pick<JWTDecodeParams, "token" | "salt">,
) {
  for (const key of deriveKeys(env.appSecret, "session")) {
    const secret = key.toString("base64");
    const claim = await decode({ ...(token && { token }), ...(salt && { salt }), secret }).catch(() => null);
    if (claim) return claim;
  }
  return null;
}

function sessionSecret({ env }: Context): string {
  return deriveKey(env.appSecret, "session").toString("base64");
}

function isSecure({ env }: Context): boolean {
  return env.publicUrl.startsWith("https:");
}
