const MAX_CANDIDATES = 20;

/**
 * Returns the order numbers that the name of a pull payment can mean, longest first. WooCommerce's name is a translated "Refund of order ",
 * the number, "; " and the shop owner's reason; the reason is not searched, because it can mention other orders. So the number is the end of
 * the text before the first semicolon, from the start of any of its words, with or without "#". Source: BTCPay for WooCommerce,
 * AbstractGateway::process_refund.
 */
export function orderNumbersIn(name: string): string[] {
  const [head = ""] = name.split(";", 1);
  const words = head.trim().split(/\s+/u).filter(Boolean).slice(-MAX_CANDIDATES);
  const ends = words.map((_word, index) => words.slice(index).join(" "));
  return [...new Set(ends.flatMap((end) => [end, end.replace(/^#/, "")]))].filter(Boolean);
}
