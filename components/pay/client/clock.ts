import { find, main, number, say } from "@/components/pay/client/screen";

let offsetMs = 0;
let lastMs = Number.POSITIVE_INFINITY;

/** Takes the server's clock from the part just shown, and writes its times in the payer's time zone. */
export function setClock(): void {
  offsetMs = number("now") - Date.now();
  const { lang } = document.documentElement;
  const format = new Intl.DateTimeFormat(navigator.languages.find((one) => one.startsWith(lang)) ?? lang, {
    dateStyle: "medium",
    timeStyle: "short",
    numberingSystem: "latn",
  });
  for (const time of main().querySelectorAll("time")) time.textContent = format.format(new Date(time.dateTime));
  tick();
}

/** True when there is something to pay and its time has run out by the server's clock. */
export const isTimeUp = () => number("expires") > 0 && number("expires") <= Date.now() + offsetMs;

/** Shows the time left. @returns true at the moment it runs out: the server decides what that means. */
export function tick(): boolean {
  const expires = number("expires");
  const left = find("left");
  if (!expires || !left) return false;
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
  if (passed(5)) say(spoken["spokenFive"]);
  if (passed(1)) say(spoken["spokenOne"]);
}

function text(seconds: number): string {
  const pair = (value: number) => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const rest = `${pair(Math.floor(seconds / 60) % 60)}:${pair(seconds % 60)}`;
  return hours ? `${hours}:${rest}` : rest;
}
