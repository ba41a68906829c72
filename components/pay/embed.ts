// This script runs on a shop's page and opens payment pages over it. It accepts messages only from its own frame, at the origin that it
// was loaded from. The status is the only data about an order that it receives. If the frame does not work, it navigates to the payment
// page.

/** A message from the payment page in the frame. */
interface Message {
  stablegate?: "ready" | "status" | "close";
  status?: string;
  /** The title of the payment page, in the language of that page. */
  title?: string;
  closeText?: string;
}

const DIALOG_CSS =
  "position:fixed;inset:0;width:100%;height:100%;max-width:none;max-height:none;margin:0;padding:0;border:0;display:flex;flex-flow:column;background:#0b0e13bf";
const CLOSE_CSS =
  "align-self:flex-end;width:44px;height:44px;margin:2px;border:0;background:none;color:#fff;font:28px/1 sans-serif;cursor:pointer";
const FRAME_CSS = "flex:1;width:100%;max-width:64rem;margin:auto;border:0;border-radius:16px 16px 0 0";
const LOADED_MS = 3_000;
const DEADLINE_MS = 15_000;
const home = new URL((document.currentScript as HTMLScriptElement).src).origin;
let shut: (() => void) | undefined;

const isOurs = (url: URL) => url.origin === home && url.pathname.startsWith("/pay/") && "HTMLDialogElement" in window;

function add<Name extends keyof HTMLElementTagNameMap>(name: Name, parent: Element, css: string) {
  const element = document.createElement(name);
  element.style.cssText = css;
  parent.append(element);
  return element;
}

function show(url: URL, opener: Element | null): void {
  shut?.();
  const dialog = add("dialog", document.body, DIALOG_CSS);
  const button = add("button", dialog, CLOSE_CSS);
  const frame = add("iframe", dialog, FRAME_CSS);
  const root = document.documentElement.style;
  const scroll = root.overflow;
  let status: string | undefined;
  const notify = (type: string) =>
    document.dispatchEvent(new CustomEvent(`stablegate:${type}`, { detail: { url: url.href, status } }));
  const leave = () => location.assign(url.href);
  let timer = setTimeout(leave, DEADLINE_MS);
  const label = (title = "Payment", closeText = "Close") => {
    frame.title = title;
    button.title = closeText;
    dialog.setAttribute("aria-label", title);
    button.setAttribute("aria-label", closeText);
  };
  const listen = ({ source, origin, data }: MessageEvent<Message | null>) => {
    if (source !== frame.contentWindow || origin !== home) return;
    if (data?.stablegate === "ready") {
      clearTimeout(timer);
      label(data.title, data.closeText);
    }
    if (data?.stablegate === "status" && data.status !== status) {
      status = data.status;
      notify("status");
    }
    if (data?.stablegate === "close") dialog.close();
  };
  shut = () => {
    shut = undefined;
    clearTimeout(timer);
    removeEventListener("message", listen);
    root.overflow = scroll;
    dialog.remove();
    (opener as HTMLElement | null)?.focus?.();
    notify("close");
  };
  label();
  button.textContent = "\u00d7";
  button.onclick = () => dialog.close();
  dialog.onclose = shut;
  frame.allow = "clipboard-write";
  frame.onload = () => {
    frame.contentWindow?.postMessage({ stablegate: "hello" }, home);
    clearTimeout(timer);
    timer = setTimeout(leave, LOADED_MS);
  };
  addEventListener("message", listen);
  frame.src = url.href;
  root.overflow = "hidden";
  dialog.showModal();
  frame.focus();
}

document.addEventListener("click", (event) => {
  const link = (event.target as Element).closest?.("a[data-stablegate]") as HTMLAnchorElement | null;
  const isPlain = !(event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey);
  const url = link && isPlain ? new URL(link.href, location.href) : null;
  if (!url || !isOurs(url)) return;
  event.preventDefault();
  show(url, link);
});

Object.assign(window, {
  Stablegate: {
    /** Opens a payment page over this page, or navigates to it. */
    open(address: string) {
      const url = new URL(address, location.href);
      if (isOurs(url)) show(url, document.activeElement);
      else if (/^https?:$/.test(url.protocol)) location.assign(url.href);
    },
  },
});
