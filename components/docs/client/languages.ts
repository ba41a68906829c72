const KEY = "docs-language";

/** Shows the language menus. A choice applies to all examples and to later pages. */
export function startLanguages(): void {
  const menus = document.querySelectorAll<HTMLSelectElement>("[data-language]");
  const select = (language: string) => {
    for (const menu of menus) {
      if (![...menu.options].some(({ value }) => value === language)) continue;
      menu.value = language;
      const box = menu.closest(".samples");
      for (const code of box?.querySelectorAll<HTMLElement>("[data-lang]") ?? [])
        code.hidden = code.dataset["lang"] !== language;
    }
  };
  for (const menu of menus) {
    menu.closest("label")?.removeAttribute("hidden");
    menu.addEventListener("change", () => {
      remember(menu.value);
      select(menu.value);
    });
  }
  const known = recall();
  if (known) select(known);
}

/** Stores the choice. If storage is disabled, the choice applies to this page only. */
function remember(language: string): void {
  try {
    localStorage.setItem(KEY, language);
  } catch {}
}

function recall(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
