import { announceStatus, find } from "@/components/pay/client/screen";
import { findWallets, walletName } from "@/components/pay/client/wallets/find";
import { askOffer, payBy, shown } from "@/components/pay/client/wallets/pay";
import type { FoundWallet } from "@/components/pay/client/wallets/way";
import type { WalletData, WalletStatus } from "@/lib/domain/checkout/wallet-request";
import type { Family } from "@/lib/domain/networks";

/**
 * This script is loaded when the payer wants to pay with a wallet. It finds all wallets again, lists them, and sends the request to the
 * selected wallet.
 */

const ICON_LENGTH = 200_000;
const found: Record<Family, FoundWallet[]> = { evm: [], tron: [], solana: [] };

/** Lists the wallets that can make the requested payment. */
async function list(box: HTMLElement): Promise<void> {
  const button = find("wallet-pay");
  const { words } = await whileBusy(box, () => askOffer().catch(() => ({ words: null })));
  if (!words) return showIn(box, box.dataset["failed"] ?? "");
  const choices = document.createElement("ul");
  const wallets = found[box.dataset["family"] as Family];
  choices.append(...wallets.map((wallet, index) => choice(box, wallet, index, words)));
  choices.setAttribute("aria-label", words.choose);
  button?.replaceWith(choices);
  showIn(box, words.choose);
  choices.querySelector("button")?.focus();
}

/**
 * Renders a wallet in the list. Its name and icon are untrusted: the name is truncated, isolated and never parsed as HTML, and the icon is
 * never loaded from a remote URL.
 */
function choice(box: HTMLElement, wallet: FoundWallet, index: number, words: WalletData["words"]): HTMLElement {
  const { icon, way } = wallet;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.id = `wallet-${index}`;
  if (/^data:image\//i.test(icon) && icon.length < ICON_LENGTH) {
    const image = new Image(24, 24);
    image.alt = "";
    image.src = icon;
    button.append(image);
  }
  const label = document.createElement("bdi");
  label.textContent = walletName(wallet);
  button.append(label);
  const notify = (status: WalletStatus) => showIn(box, words[status]);
  button.onclick = async () => {
    if (!isBusy(box)) notify(await whileBusy(box, () => payBy(way, shown(box), notify)));
  };
  const item = document.createElement("li");
  item.append(button);
  return item;
}

const isBusy = (box: HTMLElement) => box.hasAttribute("aria-busy");

/** Marks the box as busy while a request runs, so that only one runs at a time. */
async function whileBusy<T>(box: HTMLElement, work: () => Promise<T>): Promise<T> {
  box.setAttribute("aria-busy", "true");
  const result = await work();
  box.removeAttribute("aria-busy");
  return result;
}

function showIn(box: HTMLElement, text: string): void {
  const words = box.querySelector("p");
  if (words) words.textContent = text;
  announceStatus(text);
}

function start(): void {
  const box = find("wallets");
  if (box && !box.querySelector("ul") && !isBusy(box)) list(box);
}

findWallets((family, wallet) => found[family].push(wallet));
start();
document.addEventListener("click", (event) => {
  if ((event.target as Element).closest("#wallet-pay")) start();
});
