import type { SearchEntry } from "@/components/docs/reference";

const MAX_HITS = 12;

/** Shows the search, which loads its entries when it is first used. */
export function startSearch(): void {
  const box = document.querySelector<HTMLElement>(".search");
  const input = box?.querySelector("input");
  const list = box?.querySelector<HTMLElement>(".hits");
  if (!box || !input || !list) return;
  box.hidden = false;
  let entries: Promise<SearchEntry[]> | null = null;
  const load = () => {
    entries ??= fetch("/docs/search.json").then((response) => {
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      return response.json() as Promise<SearchEntry[]>;
    });
    return entries;
  };
  const show = async () => {
    const typed = input.value;
    const found =
      typed.trim() === ""
        ? []
        : await load().then(
            (all) => hitsOf(all, typed),
            () => null,
          );
    if (input.value !== typed) return;
    if (found === null) entries = null;
    list.replaceChildren(...(found === null ? [notice("The search is not available now.")] : rowsOf(found, typed)));
    setOpen(typed.trim() !== "");
  };
  const setOpen = (isOpen: boolean) => {
    list.hidden = !isOpen;
    input.setAttribute("aria-expanded", String(isOpen));
    input.removeAttribute("aria-activedescendant");
  };
  input.addEventListener("focus", () => void load().catch(() => {}));
  input.addEventListener("input", () => void show());
  input.addEventListener("keydown", (event) => moveBy(event, input, list, () => setOpen(false)));
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Node && !box.contains(target)) setOpen(false);
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof Element && event.target.matches("input, textarea, select");
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
}

/** Returns the entries that contain every word. Entries whose title starts with the text come first. */
export function hitsOf(entries: readonly SearchEntry[], typed: string): SearchEntry[] {
  const text = typed.trim().toLowerCase();
  const words = text.split(/\s+/);
  const rank = ({ title }: SearchEntry) => {
    const name = title.toLowerCase();
    if (name === text) return 0;
    if (name.startsWith(text)) return 1;
    return name.includes(text) ? 2 : 3;
  };
  return entries
    .filter(({ title, context }) => {
      const all = `${title} ${context}`.toLowerCase();
      return words.every((one) => all.includes(one));
    })
    .toSorted((left, right) => rank(left) - rank(right))
    .slice(0, MAX_HITS);
}

function rowsOf(found: readonly SearchEntry[], typed: string): HTMLElement[] {
  if (found.length === 0) return [notice(`No results for "${typed.trim()}".`)];
  return found.map(({ title, context, url }, index) => {
    const row = document.createElement("div");
    const link = document.createElement("a");
    const small = document.createElement("small");
    row.setAttribute("role", "option");
    row.id = `hit-${index}`;
    row.setAttribute("aria-selected", "false");
    link.href = url;
    link.tabIndex = -1;
    link.textContent = title;
    small.textContent = context;
    link.append(small);
    row.append(link);
    return row;
  });
}

function notice(text: string): HTMLElement {
  const row = document.createElement("div");
  const paragraph = document.createElement("p");
  row.setAttribute("role", "option");
  row.setAttribute("aria-disabled", "true");
  paragraph.textContent = text;
  row.append(paragraph);
  return row;
}

/** Handles the keys of the search: arrows select a result, Enter opens it, Escape closes the list. */
function moveBy(event: KeyboardEvent, input: HTMLInputElement, list: HTMLElement, close: () => void): void {
  const rows = [...list.querySelectorAll<HTMLElement>("[aria-selected]")];
  const index = rows.findIndex((row) => row.getAttribute("aria-selected") === "true");
  if (event.key === "Escape") close();
  if (event.key === "Enter") {
    const link = (rows[index] ?? rows[0])?.querySelector("a");
    if (link) location.assign(link.href);
    close();
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || rows.length === 0) return;
  event.preventDefault();
  const next = rows[(index + step + rows.length) % rows.length];
  for (const row of rows) row.setAttribute("aria-selected", String(row === next));
  if (next) input.setAttribute("aria-activedescendant", next.id);
  next?.scrollIntoView({ block: "nearest" });
}
