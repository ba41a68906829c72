import { hash, verify } from "@node-rs/argon2";
import commonPasswords from "fxa-common-password-list";
import { type Problem, problem } from "@/lib/domain/problems/problem";

/** The length in Unicode code points. */
export const PASSWORD_LENGTH = { min: 10, max: 256 } as const;

/** Argon2id parameters recommended by OWASP's Password Storage Cheat Sheet: 19 MiB, 2 passes, 1 lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The hash of an unknown password, so that an unknown email address takes the same time as a wrong password. */
const UNUSED_ADDRESS =
  "$argon2id$v=19$m=19456,t=2,p=1$LiyLVg5uJ5UwgltAFzyaiQ$Rt6NcBUMB1ImS6wmH5VRQR7EAhIB2p2J+tOTmEBwLQ0";

const SERVICE = "stablegate";
const MIN_CONTEXT_WORD = 4;
const COMMON = problem("password_common");
const PERSONAL = problem("password_guessable");

/**
 * Returns the problem of a new password, or null. Common passwords and the words in `context` are refused as NIST SP 800-63B (3.1.1.2)
 * requires, even in a different case or with digits and symbols around them.
 * @param context strings that are easy to guess for this user: their email address, the name of their shop
 */
export function validatePassword(password: string, context: readonly string[] = []): Problem | null {
  const length = [...password].length;
  if (length < PASSWORD_LENGTH.min) return problem("password_too_short", { min: PASSWORD_LENGTH.min, length });
  if (length > PASSWORD_LENGTH.max) return problem("password_too_long", { max: PASSWORD_LENGTH.max, length });
  if (new Set(password).size < 4) return problem("password_too_uniform");
  const whole = password.normalize("NFKC").toLowerCase();
  const core = whole.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  if (commonPasswords.test(whole) || commonPasswords.test(core)) return COMMON;
  const parts = [SERVICE, ...context, ...context.flatMap((one) => one.split("@"))].map((one) =>
    one.trim().toLowerCase(),
  );
  const isPersonal = parts.some((word) => word.length >= MIN_CONTEXT_WORD && [whole, core].includes(word));
  return isPersonal ? PERSONAL : null;
}

/**
 * Hashes a password with argon2id. NFKC normalization makes the different forms of a character, as entered on different keyboards, equal.
 */
export async function hashPassword(password: string): Promise<string> {
  return hash(password.normalize("NFKC"), COST);
}

/** Returns true if a password matches the hash. If the hash is `null` (no such user), returns false after the same work. */
export async function isPasswordRight(passwordHash: string | null, password: string): Promise<boolean> {
  const isTooLong = password.length > PASSWORD_LENGTH.max * 2;
  const isRight = await verify(passwordHash ?? UNUSED_ADDRESS, isTooLong ? "" : password.normalize("NFKC"));
  return isRight && !isTooLong && passwordHash !== null;
}
