/**
 * Runs on a shop's page in place of BTCPay Server's modal. It provides the calls that plugins make (`btcpay.showInvoice` and others) and
 * shows an invoice's payment page over the shop's. It accepts messages only from its own frame at the origin that it opened, and navigates
 * to the payment page itself if the frame does not load.
 */
interface FrameMessage {
  stablegate?: "ready" | "status" | "close";
  status?: string;
  title?: string;
  closeText?: string;
}

type Listener = (event: { origin: string; data: unknown }) => void;

/** The statuses by both names that plugins use: that of the first modal and that of the API. */
const NAMES: Record<string, string> = {
  pending: "new New",
  confirming: "paid Processing",
  paid: "complete Settled",
  expired: "expired Expired",
  cancelled: "invalid Invalid",
};
const LOADED_MS = 3_000;
const DEADLINE_MS = 15_000;

/** Creates the dialog over the shop's page: a close button above a frame. */
function createFrame() {
  const own = document.createElement("dialog");
  const frame = document.createElement("iframe");
  const button = document.createElement("button");
  const label = (title = "Payment", close = "Close") => {
    frame.title = own.ariaLabel = title;
    button.title = button.ariaLabel = close;
  };
  own.style.cssText =
    "position:fixed;inset:0;width:100%;height:100%;max-width:none;max-height:none;padding:0;border:0;background:#0b0e13bf";
  frame.style.cssText = "width:100%;height:calc(100% - 48px);border:0";
  button.style.cssText =
    "display:block;margin:2px 2px 2px auto;width:44px;height:44px;border:0;background:none;color:#fff;font:28px/1 sans-serif;cursor:pointer";
  button.textContent = "\u00d7";
  button.onclick = () => own.close();
  frame.allow = "clipboard-write";
  label();
  own.append(button, frame);
  return { own, frame, label };
}

let prefix = ((document.currentScript as HTMLScriptElement | null)?.src ?? "").split(/\/+modal\/btcpay\.js/)[0] ?? "";
let dialog: HTMLDialogElement | undefined;
let enter: (() => void) | undefined;
let leave: (() => void) | undefined;
let listen: Listener | undefined;

/** Shows the payment page of an invoice over the shop's page. */
function show(id: string): void {
  dialog?.close();
  const url = `${prefix}/i/${encodeURIComponent(id)}`;
  const { origin } = new URL(url);
  const before = document.activeElement as HTMLElement | null;
  const { own, frame, label } = createFrame();
  const go = () => location.assign(url);
  let timer = setTimeout(go, DEADLINE_MS);
  let status: string | undefined;
  const on = ({ source, origin: from, data }: MessageEvent<FrameMessage | null>) => {
    if (source !== frame.contentWindow || from !== origin || !data) return;
    if (data.stablegate === "ready") {
      clearTimeout(timer);
      label(data.title, data.closeText);
      listen?.({ origin, data: "loaded" });
    }
    if (data.stablegate === "status" && data.status !== status) {
      status = data.status;
      for (const name of NAMES[status ?? ""]?.split(" ") ?? [])
        if (own.open) listen?.({ origin, data: { invoiceId: id, status: name } });
    }
    if (data.stablegate === "close") own.close();
  };
  dialog = own;
  frame.onload = () => {
    frame.contentWindow?.postMessage({ stablegate: "hello" }, origin);
    clearTimeout(timer);
    timer = setTimeout(go, LOADED_MS);
  };
  own.onclose = () => {
    clearTimeout(timer);
    removeEventListener("message", on);
    own.remove();
    before?.focus?.();
    leave?.();
    listen?.({ origin, data: "close" });
  };
  addEventListener("message", on);
  frame.src = url;
  document.body.append(own);
  own.showModal();
  frame.focus();
  enter?.();
}

/** Provides the calls of the modal. */
function start(): void {
  Object.assign(window, {
    btcpay: {
      showInvoice: show,
      appendInvoiceFrame: show,
      // The frame is visible as soon as there is an invoice.
      showFrame() {},
      hideFrame: () => dialog?.close(),
      onModalWillEnter: (then: () => void) => {
        enter = then;
      },
      onModalWillLeave: (then: () => void) => {
        leave = then;
      },
      onModalReceiveMessage: (then: Listener) => {
        listen = then;
      },
      setApiUrlPrefix: (url: string) => {
        prefix = url.replace(/\/+$/, "");
      },
    },
  });
}

if (!("btcpay" in window)) start();

export {};
