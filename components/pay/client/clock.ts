import { announceStatus, find, main, number } from "@/components/pay/client/screen";

/** The offset of the server's clock from the browser's; null until it has been read. */
let offsetMs: number | null = null;
let lastMs = Number.POSITIVE_INFINITY;

/**
 * Reads the server's clock from the headers of the document, so that the document itself is the same for all viewers.
 * @returns true if the browser exposes these headers
 */
export function startClock(): boolean {
  const [document] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const sentMs = document?.serverTiming?.find(({ name }) => name === "now")?.duration;
  if (!document || !sentMs) return false;
  offsetMs = sentMs - Date.now() + performance.now() - document.responseStart;
  return true;
}

/** Sets the clock from the server's time in a response. */
export function setClock(answer: Response): void {
  const [, sentMs] = /now;dur=(\d+)/.exec(answer.headers.get("server-timing") ?? "") ?? [];
  if (sentMs) offsetMs = Number(sentMs) - Date.now();
}

/** Shows the times in the main part in the payer's time zone, and the time left. */
export function showTimes(): void {
  const { lang } = document.documentElement;
  const format = new Intl.DateTimeFormat(navigator.languages.find((one) => one.startsWith(lang)) ?? lang, {
    dateStyle: "medium",
    timeStyle: "short",
    numberingSystem: "latn",
  });
  for (const time of main().querySelectorAll("time")) {
    const at = new Date(time.dateTime);
    time.textContent = "age" in time.dataset ? ageText(Date.now() + (offsetMs ?? 0) - at.getTime()) : format.format(at);
  }
  tick();
}

/** Returns an age as text in the language of the page, such as "3 minutes ago". */
function ageText(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000));
  const format = new Intl.RelativeTimeFormat(`${document.documentElement.lang}-u-nu-latn`, { numeric: "auto" });
  return minutes < 120 ? format.format(-minutes, "minute") : format.format(-Math.round(minutes / 60), "hour");
}

/** Returns true if a payment is expected and its time has expired by the server's clock. */
export const isTimeUp = () => offsetMs !== null && number("expires") > 0 && number("expires") <= Date.now() + offsetMs;

/**
 * Shows the time left.
 * @returns true when the time has just run out; the server then determines the status
 */
export function tick(): boolean {
  const expires = number("expires");
  const left = find("left");
  if (!expires || !left || offsetMs === null) return false;
  const now = Date.now() + offsetMs;
  const leftMs = Math.max(0, expires - now);
  left.textContent = text(Math.floor(leftMs / 1000));
  main().classList.toggle("hurry", now >= number("hurry"));
  announce(leftMs);
  const isOver = leftMs === 0 && lastMs > 0;
  lastMs = leftMs;
  return isOver;
}

function announce(leftMs: number): void {
  const spoken = find("countdown")?.dataset;
  const passed = (minutes: number) => leftMs > 0 && leftMs <= minutes * 60_000 && lastMs > minutes * 60_000;
  if (!spoken || lastMs === Number.POSITIVE_INFINITY) return;
  if (passed(5)) announceStatus(spoken["spokenFive"]);
  if (passed(1)) announceStatus(spoken["spokenOne"]);
}

function text(seconds: number): string {
  const pair = (value: number) => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const rest = `${pair(Math.floor(seconds / 60) % 60)}:${pair(seconds % 60)}`;
  return hours ? `${hours}:${rest}` : rest;
}
