/** Returns a decimal string without trailing zeros, so that clients that convert it to a number get the same string back. */
export function shortDecimal(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
