import { announceStatus, find } from "@/components/pay/client/screen";

/** The URL of the wallet code and its hash, which scripts/page-assets.mjs inserts. */
declare const WALLET_SOURCE: string;
declare const WALLET_INTEGRITY: string;

/** The network families on which a wallet in this browser can pay. */
const families = new Set<string>();
let isAskedFor = false;

/**
 * Listens for wallets that announce themselves by EIP-6963, TIP-6963 (or TIP-1193's window.tron) or Wallet Standard. Does not load the
 * wallet code.
 * @see https://eips.ethereum.org/EIPS/eip-6963
 * @see https://github.com/tronprotocol/tips/issues/737
 * @see https://github.com/wallet-standard/wallet-standard
 */
export function listenForWallets(): void {
  const found = (family: string) => {
    families.add(family);
    offerWallets();
  };
  const register = (...wallets: { features: object }[]) => {
    if (wallets.some(({ features }) => "solana:signAndSendTransaction" in features)) found("solana");
    return () => {};
  };
  addEventListener("wallet-standard:register-wallet", (event) => (event as CustomEvent).detail({ register }));
  dispatchEvent(new CustomEvent("wallet-standard:app-ready", { detail: { register } }));
  for (const [name, family] of [
    ["eip6963", "evm"],
    ["TIP6963", "tron"],
  ] as const) {
    addEventListener(`${name}:announceProvider`, () => found(family));
    dispatchEvent(new Event(`${name}:requestProvider`));
  }
  if ("tron" in window) found("tron");
}

/** Shows the wallet button if a wallet can make the requested payment. */
export function offerWallets(): void {
  const box = find("wallets");
  if (box) box.hidden = !families.has(box.dataset["family"] ?? "");
}

/** Loads the wallet code once. From then on, that code handles the button itself. */
export function loadWallets(): void {
  if (isAskedFor) return;
  isAskedFor = true;
  const script = document.createElement("script");
  script.src = WALLET_SOURCE;
  script.integrity = WALLET_INTEGRITY;
  script.onerror = () => {
    isAskedFor = false;
    script.remove();
    const box = find("wallets");
    const paragraph = box?.querySelector("p");
    if (paragraph) paragraph.textContent = box?.dataset["failed"] ?? "";
    announceStatus(box?.dataset["failed"]);
  };
  document.head.append(script);
}
