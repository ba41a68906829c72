export interface Product {
  id: string;
  name: string;
  about: string;
  /** A decimal string, in USDT or USDC. */
  price: string;
  icon: "cup" | "book" | "lamp";
}

/** The products of the demo shop. */
export const PRODUCTS: readonly Product[] = [
  { id: "beans", name: "Espresso beans", about: "1 kg, roasted this week", price: "24.50", icon: "cup" },
  { id: "book", name: "Field notebook", about: "120 dotted pages", price: "9.90", icon: "book" },
  { id: "lamp", name: "Desk lamp", about: "Warm light, brass arm", price: "79", icon: "lamp" },
];

const AMOUNT = /^\d{1,9}(\.\d{1,6})?$/;

/**
 * Returns the selected product's price or the custom amount, with a title. Returns null if the product is unknown and the amount is
 * invalid.
 */
export function choose(
  productId: string | undefined,
  amount: string | undefined,
): { title: string; amount: string } | null {
  const product = PRODUCTS.find((candidate) => candidate.id === productId);
  if (product) return { title: product.name, amount: product.price };
  const typed = amount?.trim().replace(",", ".") ?? "";
  return AMOUNT.test(typed) && Number(typed) > 0 ? { title: "Gift card", amount: typed } : null;
}
