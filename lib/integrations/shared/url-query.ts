/** Returns a URL with these fields appended to its query, percent-encoded; its own query and fragment stay unchanged. */
export function appendQuery(url: string, fields: Readonly<Record<string, string>>): string {
  const query = Object.entries(fields).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const [base = "", ...fragment] = url.split("#");
  const joint = base.includes("?") ? (/[?&]$/.test(base) ? "" : "&") : "?";
  return [`${base}${joint}${query.join("&")}`, ...fragment].join("#");
}
