import { isInShop } from "@/components/pay/client/framed";
import { announceStatus, find } from "@/components/pay/client/screen";

let timer = 0;

/** Returns to the shop after the page's delay. This happens only once, so that the Back button can bring the payer back to this page. */
export function leaveIfPaid(): void {
  const link = find("return") as HTMLAnchorElement | null;
  let left = Number(link?.dataset["after"] ?? 0);
  if (!link || !left || isInShop() || history.state?.left) return;
  const notice = find("returning");
  if (notice) notice.hidden = false;
  clearInterval(timer);
  timer = setInterval(() => {
    if (document.hidden) return;
    left -= 1;
    const seconds = find("return-seconds");
    if (seconds) seconds.textContent = String(left);
    if (left > 0) return;
    clearInterval(timer);
    history.replaceState({ left: true }, "");
    location.assign(link.href);
  }, 1_000) as unknown as number;
}

/** Cancels the return to the shop, because the payer wants to stay. */
export function stay(): void {
  clearInterval(timer);
  const notice = find("returning");
  if (notice) notice.hidden = true;
  const link = find("return");
  link?.focus();
  announceStatus(link?.dataset["stayed"]);
}
