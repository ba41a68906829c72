const CHARACTER = "[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2}";
const HOST = "\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._~!$&'()*+,;=%-]+";
const URI = new RegExp(
  `^https?://(?:${HOST})(?::\\d*)?(?:/(?:${CHARACTER}|/)*)?(?:\\?(?:${CHARACTER}|[/?])*)?(?:#(?:${CHARACTER}|[/?])*)?$`,
  "i",
);
const FORBIDDEN = /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9._~!$&'()*+,;=:@/?%-]/gu;

/**
 * Returns an http(s) URL as a URI of RFC 3986. Browsers accept characters in a URL that a URI must not contain, such as braces and Chinese
 * characters; these are percent-encoded. A URL that is a URI is returned unchanged.
 */
export function toUri(text: string): string {
  if (URI.test(text)) return text;
  const { origin, pathname, search, hash } = new URL(text);
  return `${origin}${encode(pathname)}${encode(search)}${hash && `#${encode(hash.slice(1))}`}`;
}

const encode = (part: string) => part.replace(FORBIDDEN, encodeURIComponent);

/** Returns true if a text is an http(s) URI of RFC 3986. */
export function isHttpUri(text: string): boolean {
  return URI.test(text);
}
