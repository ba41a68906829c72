import { find, main } from "@/components/pay/client/screen";

const isFramed = parent !== self;
/** Of the page around this one, once it said hello; "" before. */
let shop = "";

/** Whether a shop's page shows this one in a frame: it decides itself where to go once it is paid. */
export const isInShop = () => isFramed;

/**
 * Answers the page around this one, if the merchant named its site: the browser shows this page in no other, and what another
 * sends is passed over. It hears the status and nothing else.
 */
export function answerShop(): void {
  if (!isFramed) return;
  const { parents = "", close: closeText } = find("shop")?.dataset ?? {};
  addEventListener("message", ({ source, origin, data }) => {
    if (source !== parent || data?.stablegate !== "hello" || !parents.split(" ").includes(origin)) return;
    shop = origin;
    tell({ stablegate: "ready", title: document.title, closeText });
    tellStatus();
  });
  addEventListener("keydown", ({ key }) => {
    if (key === "Escape") tell({ stablegate: "close" });
  });
}

/** Tells the page around this one where the order stands. */
export function tellStatus(): void {
  tell({ stablegate: "status", status: main().dataset["state"] });
}

function tell(message: object): void {
  if (shop) parent.postMessage(message, shop);
}
