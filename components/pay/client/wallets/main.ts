import { announceStatus, find } from "@/components/pay/client/screen";
import { evmWay } from "@/components/pay/client/wallets/evm";
import { askOffer, payBy, shown } from "@/components/pay/client/wallets/pay";
import { type StandardWallet, solanaWay } from "@/components/pay/client/wallets/solana";
import { type TronProvider, tronWay } from "@/components/pay/client/wallets/tron";
import type { FoundWallet, Provider } from "@/components/pay/client/wallets/way";
import type { WalletData, WalletStatus } from "@/lib/domain/checkout/wallet-request";

/**
 * This script is loaded when the payer wants to pay with a wallet. It finds all wallets again, lists them, and sends the request to the
 * selected wallet.
 */

const NAME_LENGTH = 40;
const ICON_LENGTH = 200_000;
const found = {
  evm: new Map<unknown, FoundWallet>(),
  tron: new Map<unknown, FoundWallet>(),
  solana: new Map<unknown, FoundWallet>(),
};

interface Announced<P> {
  info?: { name?: string; icon?: string };
  provider: P;
}

function collect(): void {
  addEventListener("eip6963:announceProvider", (event) => {
    const { info, provider } = (event as CustomEvent<Announced<Provider>>).detail;
    add("evm", provider, { ...info, way: evmWay(provider) });
  });
  const addTron = ({ info, provider }: Announced<TronProvider>) =>
    add("tron", provider, { ...info, way: tronWay(provider) });
  addEventListener("TIP6963:announceProvider", (event) =>
    addTron((event as CustomEvent<Announced<TronProvider>>).detail),
  );
  const register = (...wallets: StandardWallet[]) => {
    for (const wallet of wallets) {
      const { name, icon, features } = wallet;
      if ("solana:signAndSendTransaction" in features) add("solana", wallet, { name, icon, way: solanaWay(wallet) });
    }
    return () => {};
  };
  addEventListener("wallet-standard:register-wallet", (event) => (event as CustomEvent).detail({ register }));
  dispatchEvent(new Event("eip6963:requestProvider"));
  dispatchEvent(new Event("TIP6963:requestProvider"));
  dispatchEvent(new CustomEvent("wallet-standard:app-ready", { detail: { register } }));
  const { tron } = window as { tron?: TronProvider };
  if (tron && found.tron.size === 0) addTron({ info: { name: "TRON" }, provider: tron });
}

function add(
  family: keyof typeof found,
  key: unknown,
  { name = "", icon = "", way }: Partial<FoundWallet> & Pick<FoundWallet, "way">,
) {
  if (!found[family].has(key)) found[family].set(key, { name, icon, way });
}

/** Lists the wallets that can make the requested payment. */
async function list(box: HTMLElement): Promise<void> {
  const button = find("wallet-pay");
  const { words } = await whileBusy(box, () => askOffer().catch(() => ({ words: null })));
  if (!words) return showIn(box, box.dataset["failed"] ?? "");
  const choices = document.createElement("ul");
  const wallets = found[box.dataset["family"] as keyof typeof found];
  choices.append(...[...wallets.values()].map((wallet, index) => choice(box, wallet, index, words)));
  choices.setAttribute("aria-label", words.choose);
  button?.replaceWith(choices);
  showIn(box, words.choose);
  choices.querySelector("button")?.focus();
}

/**
 * Renders a wallet in the list. Its name and icon are untrusted: the name is truncated, isolated and never parsed as HTML, and the icon is
 * never loaded from a remote URL.
 */
function choice(
  box: HTMLElement,
  { name, icon, way }: FoundWallet,
  index: number,
  words: WalletData["words"],
): HTMLElement {
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
  label.textContent = [...name.trim()].slice(0, NAME_LENGTH).join("") || "?";
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

collect();
start();
document.addEventListener("click", (event) => {
  if ((event.target as Element).closest("#wallet-pay")) start();
});
