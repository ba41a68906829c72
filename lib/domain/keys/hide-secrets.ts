/** The minimum length of a hidden secret: shorter ones occur in too many words. */
const SHORTEST = 6;
/** The minimum length of a key in a path; ordinary path segments are shorter. */
const SHORTEST_OF_PATH = 12;
const HIDDEN = "…";

/**
 * Returns a message from a remote server without the request's secrets, in plain or encoded form. Some servers include the request in
 * their messages.
 * @param secrets the secrets to remove; those shorter than six characters are not removed
 */
export function hideSecrets(message: string, secrets: readonly string[]): string {
  const forms = secrets.filter(({ length }) => length >= SHORTEST).flatMap(formsOf);
  return forms
    .toSorted((one, other) => other.length - one.length)
    .reduce((text, form) => text.replaceAll(form, HIDDEN), message);
}

/** Returns the parts of a URL that grant access: its password, each long part of its path, each value of its query. */
export function secretsOfUrl(url: string): string[] {
  const { username, password, pathname, searchParams } = new URL(url);
  const login = username && password ? `${decode(username)}:${decode(password)}` : "";
  const segments = pathname.split("/").filter(({ length }) => length >= SHORTEST_OF_PATH);
  const parts = [decode(password), login, ...segments, ...searchParams.values()];
  return parts.filter(({ length }) => length >= SHORTEST);
}

/** Returns a part of a URL in decoded form, or unchanged if a percent sign in it encodes nothing. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString("base64"),
    bytes.toString("hex"),
  ];
}
