/** Reads a Retry-After header, seconds or an HTTP date, as milliseconds from `now`; null when it is neither. */
export function parseRetryAfter(text: string, now: Date): number | null {
  const value = text.trim();
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const at = /^[A-Z][a-z]{2,8},? /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
