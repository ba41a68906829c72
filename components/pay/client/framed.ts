import { find, main } from "@/components/pay/client/screen";

const isFramed = parent !== self;
/** The origin of the page around this one, once it sent a hello; "" before. */
let shop = "";

/** Returns true if a shop's page shows this one in a frame: the shop then handles the return after payment. */
export const isInShop = () => isFramed;

/**
 * Responds to the page around this one, if the merchant named its site: the browser shows this page in no other, and messages of others
 * are ignored. It receives only the status.
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

/** Sends the status of the order to the page around this one. */
export function postStatus(): void {
  postToShop({ stablegate: "status", status: main().dataset["state"] });
}

function postToShop(message: object): void {
  if (shop) parent.postMessage(message, shop);
}
