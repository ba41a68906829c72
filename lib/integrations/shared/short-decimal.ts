/** Returns a decimal text without trailing zeros: clients that convert it to a number get the same text again. */
export function shortDecimal(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
