import { hash, verify } from "@node-rs/argon2";

/** In Unicode code points. */
export const PASSWORD_LENGTH = { min: 10, max: 256 } as const;

/** Argon2id as OWASP's Password Storage Cheat Sheet asks for: 19 MiB, 2 passes, 1 lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Hash of a password that nobody knows: an unknown e-mail address costs the same time as a wrong password. */
const NOBODY = "$argon2id$v=19$m=19456,t=2,p=1$LiyLVg5uJ5UwgltAFzyaiQ$Rt6NcBUMB1ImS6wmH5VRQR7EAhIB2p2J+tOTmEBwLQ0";

/** What is wrong with a new password, in words, or null. */
export function validatePassword(password: string): string | null {
  const length = [...password].length;
  if (length < PASSWORD_LENGTH.min)
    return `Use at least ${PASSWORD_LENGTH.min} characters; this has ${length}. A few random words are easy to remember`;
  if (length > PASSWORD_LENGTH.max) return `Use at most ${PASSWORD_LENGTH.max} characters; this has ${length}`;
  if (new Set(password).size < 4) return "Use more than three different characters";
  return null;
}

/** Hashes a password with argon2id; different keyboards' forms of one character are the same. */
export async function hashPassword(password: string): Promise<string> {
  return hash(password.normalize("NFKC"), COST);
}

/** Whether a password is the hashed one. `null` stands for a person who does not exist: false, after the same work. */
export async function isPasswordRight(passwordHash: string | null, password: string): Promise<boolean> {
  const isTooLong = password.length > PASSWORD_LENGTH.max * 2;
  const isRight = await verify(passwordHash ?? NOBODY, isTooLong ? "" : password.normalize("NFKC"));
  return isRight && !isTooLong && passwordHash !== null;
}
