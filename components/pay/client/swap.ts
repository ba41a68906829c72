import { showTimes } from "@/components/pay/client/clock";
import { postStatus } from "@/components/pay/client/framed";
import { leaveIfPaid } from "@/components/pay/client/leave";
import { announceStatus, find, main, number } from "@/components/pay/client/screen";
import { offerWallets } from "@/components/pay/client/wallet-offer";

/** Shows a newer rendering of the main part. A rendering that is older or already shown is dropped. */
export function show(html: string): void {
  const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("pay");
  const old = main();
  if (!fresh || fresh.dataset["tag"] === old.dataset["tag"]) return;
  if (Number(fresh.dataset["version"]) < number("version")) return;
  const isOtherView = fresh.dataset["view"] !== old.dataset["view"];
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  keepChoices(old, fresh);
  keepWallets(fresh);
  old.replaceWith(fresh);
  offerWallets();
  document.title = fresh.dataset["title"] ?? document.title;
  showTimes();
  if (focused) refocus(focused);
  postStatus();
  if (fresh.dataset["say"] !== old.dataset["say"]) announceStatus(fresh.dataset["say"]);
  if (!isOtherView) return;
  scrollTo(0, 0);
  leaveIfPaid();
}

function keepChoices(old: HTMLElement, fresh: HTMLElement): void {
  for (const chosen of old.querySelectorAll("details[open], input:checked, .asking input")) {
    const same = chosen.id && fresh.querySelector(`#${chosen.id}`);
    if (same instanceof HTMLDetailsElement) same.open = true;
    if (same instanceof HTMLInputElement && chosen instanceof HTMLInputElement) {
      same.checked = chosen.checked;
      same.value = chosen.value;
    }
  }
}

/** Keeps a running wallet request if it is for the same payment. */
function keepWallets(fresh: HTMLElement): void {
  const before = find("wallets");
  const after = fresh.querySelector<HTMLElement>("#wallets");
  if (before && before.dataset["offer"] === after?.dataset["offer"]) after?.replaceWith(before);
}

/** Restores the focus to the element of the same id or the same content, or moves it to the new heading if there is none. */
function refocus({ id, localName, outerHTML }: Element): void {
  const same = id
    ? document.getElementById(id)
    : [...main().querySelectorAll<HTMLElement>(localName)].find((one) => one.outerHTML === outerHTML);
  const heading = main().querySelector("h1");
  if (!same) heading?.setAttribute("tabindex", "-1");
  (same ?? heading)?.focus({ preventScroll: true });
}
