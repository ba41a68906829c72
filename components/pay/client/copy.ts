import { announceStatus, find } from "@/components/pay/client/screen";

const SHOWN_MS = 2_000;

/** Copies the text of a button, shows the result on the button, and announces it. */
export async function copy(button: HTMLElement): Promise<void> {
  const isCopied = await write(button.dataset["copy"] ?? "");
  announceStatus(isCopied ? button.dataset["done"] : find("live")?.dataset["copyFailed"]);
  const label = button.querySelector("span");
  if (!isCopied || !label || button.classList.contains("copied")) return;
  const before = label.textContent;
  label.textContent = label.dataset["copied"] ?? before;
  button.classList.add("copied");
  setTimeout(() => {
    label.textContent = before;
    button.classList.remove("copied");
  }, SHOWN_MS);
}

async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return writeBySelection(text);
  }
}

/** Copies text on pages without the clipboard API (plain http, old browsers, in-app browsers). */
function writeBySelection(text: string): boolean {
  const focused = document.activeElement as HTMLElement | null;
  const area = document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  area.className = "spoken";
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  focused?.focus();
  return isCopied;
}
