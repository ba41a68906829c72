import { Secret, TOTP } from "otpauth";

const PERIOD_S = 30;
/** The accepted clock error in steps. */
const WINDOW = 1;

function totpOf(secret: string, label = ""): TOTP {
  // Every authenticator app supports SHA-1, six digits and 30 seconds (RFC 6238, section 5.2; Key URI format).
  const rest = { algorithm: "SHA1", digits: 6, period: PERIOD_S, issuer: "Stablegate" };
  return new TOTP({ ...rest, label, secret: Secret.fromBase32(secret) });
}

/** Returns a new secret of 160 bits (RFC 4226, section 4) in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** Returns the content of an enrollment's QR code: "otpauth://totp/…". */
export function totpUri(secret: string, email: string): string {
  return totpOf(secret, email).toString();
}

/** Returns the step (30 seconds since 1970) that a code belongs to, at most one step from now; null if it matches none. */
export function matchTotpStep(secret: string, code: string, now: Date): number | null {
  const token = code.replace(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return null;
  const delta = totpOf(secret).validate({ token, timestamp: now.getTime(), window: WINDOW });
  return delta === null ? null : Math.floor(now.getTime() / 1000 / PERIOD_S) + delta;
}

/** Returns the code at a given time. */
export function totpCode(secret: string, at: Date): string {
  return totpOf(secret).generate({ timestamp: at.getTime() });
}
