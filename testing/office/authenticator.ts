import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

const hash = (data: string | Buffer) => createHash("sha256").update(data).digest();
const text = (bytes: Buffer) => bytes.toString("base64url");
/** The flags of authenticator data: user present, user verified, and attested credential data follows (WebAuthn, section 6.1). */
const FLAGS = { present: 0x01, verified: 0x04, attested: 0x40 };

/** Encodes an authenticator's response as CBOR: maps, strings, byte strings and small integers (RFC 8949). */
function cbor(value: unknown): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (!(value instanceof Map)) throw new Error("an authenticator says nothing else");
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item)])]);
}

function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size]);
  return size < 256 ? Buffer.from([(major << 5) | 24, size]) : Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
}

/** Returns a device with one passkey that signs every request; the test sets its counter. */
export function createAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(32);
  const cose = cbor(
    new Map<number, unknown>([
      ...([
        [1, 2],
        [3, -7],
        [-1, 1],
      ] as const),
      ...([
        [-2, Buffer.from(x, "base64url")],
        [-3, Buffer.from(y, "base64url")],
      ] as const),
    ]),
  );
  const clientOf = (type: string, challenge: string, at = origin) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: at, crossOrigin: false }));
  const dataOf = (flags: number, counter: number, more = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([hash(new URL(origin).hostname), Buffer.from([flags]), count, more]);
  };
  const common = { id: text(id), rawId: text(id), type: "public-key", clientExtensionResults: {} };
  return {
    /** Returns the response to creation options. */
    add(challenge: string): string {
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose]);
      const authData = dataOf(FLAGS.present | FLAGS.verified | FLAGS.attested, 0, attested);
      const attestation = cbor(
        new Map<string, unknown>([
          ["fmt", "none"],
          ["attStmt", new Map()],
          ["authData", authData],
        ]),
      );
      const client = clientOf("webauthn.create", challenge);
      const response = { clientDataJSON: text(client), attestationObject: text(attestation), transports: ["internal"] };
      return JSON.stringify({ ...common, response });
    },
    /** Returns the response to request options. */
    sign(challenge: string, { counter = 0, isVerified = true, at = origin } = {}): string {
      const data = dataOf(FLAGS.present | (isVerified ? FLAGS.verified : 0), counter);
      const client = clientOf("webauthn.get", challenge, at);
      const signature = sign("sha256", Buffer.concat([data, hash(client)]), privateKey);
      const response = { clientDataJSON: text(client), authenticatorData: text(data), signature: text(signature) };
      return JSON.stringify({ ...common, response });
    },
  };
}
