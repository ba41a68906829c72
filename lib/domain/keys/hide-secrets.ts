/** Shorter ones stand in too many words to be looked for. */
const SHORTEST = 6;
/** Keys in paths are longer than the names of places. */
const SHORTEST_OF_PATH = 12;
const HIDDEN = "…";

/**
 * Words of another machine without the secrets that it was asked with, as they are or in the forms in which they travel: some say
 * back what they were sent.
 * @param secrets those shorter than six characters are not looked for
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
