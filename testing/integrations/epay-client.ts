import { createHash, sign, verify } from "node:crypto";

/** EPay's rules as its clients implement them, independent of the service's own code. */
type Fields = Record<string, string>;

const md5 = (text: string) => createHash("md5").update(text, "utf8").digest("hex");

/** The strings that PHP's trim reduces to an empty string. */
const PHP_BLANK = /^[ \t\n\r\0\v]*$/;

/** Signs like EpayCore, which uses the same rule for verification: blank fields are left out. */
export function coreSign(fields: Fields, key: string): string {
  return md5(coreText(fields) + key);
}

/** Returns the text that EpayCore signs. */
function coreText(fields: Fields): string {
  const names = Object.keys(fields).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  let text = "";
  for (const name of names) {
    const value = fields[name] ?? "";
    if (name === "sign" || name === "sign_type" || PHP_BLANK.test(value)) continue;
    text += `${name}=${value}&`;
  }
  return text.slice(0, -1);
}

/** Signs as V2Board verifies: all received fields, including empty ones, through stripslashes(urldecode(http_build_query())). */
export function boardSign(fields: Fields, key: string): string {
  const { sign: _sign, sign_type: _type, ...rest } = fields;
  const names = Object.keys(rest).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const query = names.map((name) => `${encodeURIComponent(name)}=${encodeURIComponent(rest[name] ?? "")}`).join("&");
  const stripped = decodeURIComponent(query).replace(/\\(.?)/gs, "$1");
  return md5(stripped + key);
}

/** Returns the signed request of a client. */
export function signed(fields: Fields, key: string): URLSearchParams {
  return new URLSearchParams({ ...fields, sign: coreSign(fields, key), sign_type: "MD5" });
}

const pem = (label: string, key: string) =>
  `-----BEGIN ${label}-----\n${key.replace(/.{64}/g, "$&\n")}\n-----END ${label}-----`;

/** Signs like EpayCore of EPay V2, whose keys are bare base64. */
export function rsaSign(fields: Fields, privateKey: string): string {
  return sign("sha256", Buffer.from(coreText(fields)), pem("PRIVATE KEY", privateKey)).toString("base64");
}

/** Verifies like EpayCore of EPay V2: the signature, and a timestamp within 300 seconds of `at`. */
export function isRsaSigned(fields: Fields, publicKey: string, at: Date): boolean {
  if (Math.abs(at.getTime() / 1_000 - Number(fields["timestamp"])) > 300) return false;
  const given = Buffer.from(fields["sign"] ?? "", "base64");
  return verify("sha256", Buffer.from(coreText(fields)), pem("PUBLIC KEY", publicKey), given);
}

/** Returns the signed request of a client of EPay V2. */
export function rsaSigned(fields: Fields, privateKey: string, at: Date): URLSearchParams {
  const timed = { ...fields, timestamp: String(Math.floor(at.getTime() / 1_000)) };
  return new URLSearchParams({ ...timed, sign: rsaSign(timed, privateKey), sign_type: "RSA" });
}
