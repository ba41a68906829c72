const encoder: TextEncoder = new TextEncoder();

/** Returns the base64 HMAC-SHA256 of a message as Standard Webhooks defines it: over `{id}.{timestamp}.{body}`. */
export async function signMessage(secret: string, id: string, timestamp: string, body: Uint8Array): Promise<string> {
  const head = encoder.encode(`${id}.${timestamp}.`);
  const message = new Uint8Array(head.length + body.length);
  message.set(head);
  message.set(body, head.length);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", secretBytes(secret), algorithm, false, ["sign"]);
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, message));
  return btoa(String.fromCharCode(...mac));
}

/** Compares two texts. The time does not depend on the position of the first difference. */
export function isEqual(left: string, right: string): boolean {
  let difference = left.length ^ right.length;
  for (let index = 0; index < right.length; index++) difference |= left.charCodeAt(index) ^ right.charCodeAt(index);
  return difference === 0;
}

/** Returns the bytes of a text in UTF-8; bytes are returned unchanged. */
export function toBytes(body: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof body === "string") return encoder.encode(body);
  return body instanceof Uint8Array ? body : new Uint8Array(body);
}

/**
 * Returns the bytes of a secret.
 * @throws TypeError if the secret is not `whsec_` followed by base64, so that a public key is never used as a secret
 */
export function secretBytes(secret: string): Uint8Array<ArrayBuffer> {
  const [, text] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  if (!text) throw new TypeError("The secret must be whsec_ followed by base64 (back office, Settings → API keys)");
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
