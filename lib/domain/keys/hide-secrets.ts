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
  const login = username && password ? `${decodeURIComponent(username)}:${decodeURIComponent(password)}` : "";
  const segments = pathname.split("/").filter(({ length }) => length >= SHORTEST_OF_PATH);
  const parts = [decodeURIComponent(password), login, ...segments, ...searchParams.values()];
  return parts.filter(({ length }) => length >= SHORTEST);
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
