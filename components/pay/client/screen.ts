const get = (id: string) => document.getElementById(id);

/** Returns the part of the page that follows the order. It is replaced whenever the order changes. */
export const main = () => get("pay") as HTMLElement;

/** Returns an element by id, or null. */
export const find = get;

/** Announces a text to screen readers. */
export function announceStatus(text: string | undefined): void {
  const live = get("live");
  if (live && text) live.textContent = text;
}

/** Returns a number from a data attribute of the main part; 0 if the attribute is missing. */
export const number = (name: string) => Number(main().dataset[name] ?? 0);
