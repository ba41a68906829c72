const get = (id: string) => document.getElementById(id);

/** The part of the page that follows the order: replaced whenever the order changed. */
export const main = () => get("pay") as HTMLElement;

/** An element by id, or null. */
export const find = get;

/** Announces a text to screen readers. */
export function announceStatus(text: string | undefined): void {
  const live = get("live");
  if (live && text) live.textContent = text;
}

/** A number from a data attribute of the main part; 0 when it has none. */
export const number = (name: string) => Number(main().dataset[name] ?? 0);
