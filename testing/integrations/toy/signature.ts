import { createHmac } from "node:crypto";

/** Returns the value of the header `x-toy-signature`: HMAC-SHA256 of the body in hex. */
export function signToy(body: string, key: string): string {
  return createHmac("sha256", key).update(body).digest("hex");
}
