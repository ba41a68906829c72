/**
 * The servers that a PostgreSQL URL names, each as a URL of its own: postgres://user:password@a:5432,b:5433/name is one database
 * on two servers, of which one takes writes at a time. A URL of one server stays as it is.
 */
export function serverUrls(url: string): string[] {
  const [, start = "", hosts = "", rest = ""] = /^([^/]*\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  if (!hosts.includes(",")) return [url];
  return hosts.split(",").map((host) => `${start}${host.trim()}${rest}`);
}

/** Returns true if a text is the URL of a PostgreSQL database, on one server or several. */
export function isDatabaseUrl(text: string): boolean {
  return serverUrls(text).every((one) => {
    const url = URL.parse(one);
    return url !== null && ["postgres:", "postgresql:"].includes(url.protocol) && url.hostname !== "";
  });
}

/** Returns the location of a database, without user and password: "a:5432, b:5433". */
export function serverNames(url: string): string {
  return serverUrls(url)
    .map((one) => new URL(one).host)
    .join(", ");
}

/** Returns the user of a database URL. */
export interface Credentials {
  user: string;
  /** Null where the URL names none. */
  password: string | null;
}

const CREDENTIALS = /^([^/]*\/\/)(?:([^/?#@:]*)(?::([^/?#@]*))?@)?/;

/** Returns whom a database URL, of one server or several, signs in as; an empty user where it names none. */
export function credentialsOf(url: string): Credentials {
  const [, , user = "", password] = CREDENTIALS.exec(url) ?? [];
  return { user: decodeURIComponent(user), password: password === undefined ? null : decodeURIComponent(password) };
}

/** Returns a database URL that signs in as another role. */
export function withCredentials(url: string, { user, password }: Credentials): string {
  const secret = password === null ? "" : `:${encodeURIComponent(password)}`;
  return url.replace(CREDENTIALS, (_all, start: string) => `${start}${encodeURIComponent(user)}${secret}@`);
}
