const SHOWN_MS = 1_500;

/** Shows the buttons that copy code, and attaches their handlers. */
export function startCopying(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const code = button.closest("section")?.querySelector("code");
      const isCopied = await copy(code?.textContent ?? "", code ?? null);
      button.textContent = isCopied ? "Copied" : "Press Ctrl+C";
      setTimeout(() => {
        button.textContent = "Copy";
      }, SHOWN_MS);
    });
  }
}

/** Copies a text. Without the clipboard API, for example on http, it selects the element so that the user can copy it. */
async function copy(text: string, element: Element | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (element) getSelection()?.selectAllChildren(element);
    return document.execCommand("copy");
  }
}
