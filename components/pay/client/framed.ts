import { find, main } from "@/components/pay/client/screen";

const isFramed = parent !== self;
/** The origin of the parent page; "" until that page has sent "hello". */
let shop = "";

/** Returns true if a shop's page shows this page in a frame. The shop then handles the return after payment. */
export const isInShop = () => isFramed;

/**
 * Responds to the parent page if the merchant configured its origin. The browser does not show this page in a frame of any other page, and
 * messages from other pages are ignored. The parent page receives only the status.
 */
export function answerShop(): void {
  if (!isFramed) return;
  const { parents = "", close: closeText } = find("shop")?.dataset ?? {};
  addEventListener("message", ({ source, origin, data }) => {
    if (source !== parent || data?.stablegate !== "hello" || !parents.split(" ").includes(origin)) return;
    shop = origin;
    postToShop({ stablegate: "ready", title: document.title, closeText });
    postStatus();
  });
  addEventListener("keydown", ({ key }) => {
    if (key === "Escape") postToShop({ stablegate: "close" });
  });
}

/** Sends the status of the order to the parent page. */
export function postStatus(): void {
  postToShop({ stablegate: "status", status: main().dataset["state"] });
}

function postToShop(message: object): void {
  if (shop) parent.postMessage(message, shop);
}
