import { createHash } from "node:crypto";

/** EPay's rules as its clients implement them, independent of the service's own code. */
type Fields = Record<string, string>;

const md5 = (text: string) => createHash("md5").update(text, "utf8").digest("hex");

/** The strings that PHP's trim reduces to an empty string. */
const PHP_BLANK = /^[ \t\n\r\0\v]*$/;

/** Signs like EpayCore, which uses the same rule for verification: blank fields are left out. */
export function coreSign(fields: Fields, key: string): string {
  const names = Object.keys(fields).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  let text = "";
  for (const name of names) {
    const value = fields[name] ?? "";
    if (name === "sign" || name === "sign_type" || PHP_BLANK.test(value)) continue;
    text += `${name}=${value}&`;
  }
  return md5(text.slice(0, -1) + key);
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
