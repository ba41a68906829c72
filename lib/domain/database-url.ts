/**
 * Returns the URL of each server in a PostgreSQL URL: postgres://user:password@a:5432,b:5433/name is one database on two servers, only one
 * of which accepts writes at a time. The URL of a single server is returned unchanged.
 */
export function serverUrls(url: string): string[] {
  const [, start = "", hosts = "", rest = ""] = /^([^/]*\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  if (!hosts.includes(",")) return [url];
  return hosts.split(",").map((host) => `${start}${host.trim()}${rest}`);
}

/** Returns true if a string is the URL of a PostgreSQL database, on one or more servers. */
export function isDatabaseUrl(text: string): boolean {
  return serverUrls(text).every((one) => {
    const url = URL.parse(one);
    return url !== null && ["postgres:", "postgresql:"].includes(url.protocol) && url.hostname !== "";
  });
}

/** Returns the servers of a database, without user and password: "a:5432, b:5433". */
export function serverNames(url: string): string {
  return serverUrls(url)
    .map((one) => new URL(one).host)
    .join(", ");
}

/** The user and the password of a database URL. */
export interface Credentials {
  user: string;
  /** Null if the URL contains none. */
  password: string | null;
}

const CREDENTIALS = /^([^/]*\/\/)(?:([^/?#@:]*)(?::([^/?#@]*))?@)?/;

/** Returns the user and password of a database URL, which may list several servers. The user is empty if the URL contains none. */
export function credentialsOf(url: string): Credentials {
  const [, , user = "", password] = CREDENTIALS.exec(url) ?? [];
  return { user: decodeURIComponent(user), password: password === undefined ? null : decodeURIComponent(password) };
}

/** Returns a database URL with different credentials. */
export function withCredentials(url: string, { user, password }: Credentials): string {
  const secret = password === null ? "" : `:${encodeURIComponent(password)}`;
  return url.replace(CREDENTIALS, (_all, start: string) => `${start}${encodeURIComponent(user)}${secret}@`);
}
