import { isTimeUp, setClock } from "@/components/pay/client/clock";
import { main, number } from "@/components/pay/client/screen";
import { show } from "@/components/pay/client/swap";

const FIRST_POLL_MS = 3_000;
const MAX_POLL_MS = 15_000;
const POLL_GROWTH = 1.5;
/**
 * The initial delay before a refused event stream is requested again. The delay doubles with each refusal, and polling continues
 * meanwhile.
 */
const INITIAL_WAIT_MS = 15_000;
const MAX_WAIT_MS = 300_000;
const SILENCE_MS = 40_000;
const REQUEST_MS = 10_000;

const page = location.pathname.replace(/\/$/, "");
let events: EventSource | null = null;
let polls = 0;
let nextTimer = 0;
let silenceTimer = 0;
let isConnected = false;
let isAsking = false;
let isAskedAgain = false;
/** The earliest times of the next poll and of the next subscription. The server sets the former; refused subscriptions set the latter. */
let askAfter = 0;
let listenAfter = 0;
let refusals = 0;

const isFollowed = () => number("refresh") > 0 && !document.hidden;

/** Follows the order while the page is visible: by events if they are available, otherwise by polling at increasing intervals. */
export function follow(): void {
  clearTimeout(nextTimer);
  if (!isFollowed()) {
    rest();
    return;
  }
  listen();
  const slowest = Math.min(MAX_POLL_MS, FIRST_POLL_MS * POLL_GROWTH ** polls++);
  const jittered = slowest * (0.8 + Math.random() * 0.4);
  const wanted = isTimeUp() ? FIRST_POLL_MS : isConnected ? number("refresh") : jittered;
  nextTimer = later(ask, Math.max(wanted, askAfter - Date.now()));
}

/** Polls immediately, because the page may have missed changes, and then follows the order again. */
export function catchUp(): void {
  polls = 0;
  if (document.hidden) rest();
  else ask();
}

/** Requests the order's status, and updates the page if the status has changed. Only one request runs at a time. */
export async function ask(): Promise<void> {
  clearTimeout(nextTimer);
  if (isAsking) {
    isAskedAgain = true;
    return;
  }
  isAsking = true;
  try {
    const tag = main().dataset["tag"];
    const answer = await request(`/api${page}/status`, { "if-none-match": `"${tag}"` });
    const retrySeconds = Number(answer.headers.get("retry-after"));
    if (retrySeconds > 0) askAfter = Date.now() + Math.min(retrySeconds * 1_000, MAX_WAIT_MS);
    if (answer.ok && (await answer.json()).tag !== tag) {
      const query = new URLSearchParams(location.search);
      query.set("fragment", "1");
      query.set("lang", document.documentElement.lang);
      const fragment = await request(`${page}?${query}`, {});
      if (fragment.ok) show(await fragment.text());
      polls = 0;
    }
  } catch {
    // No connection: the next question is already planned below.
  }
  isAsking = false;
  if (isAskedAgain) {
    isAskedAgain = false;
    ask();
  } else follow();
}

function listen(): void {
  if (events || Date.now() < listenAfter || !isFollowed() || !("EventSource" in window)) return;
  events = new EventSource(`/api${page}/events`);
  events.onopen = () => {
    isConnected = true;
    refusals = 0;
    onMessage();
    follow();
  };
  events.addEventListener("ping", onMessage);
  events.onmessage = (event) => {
    onMessage();
    if (Number(event.data) > number("version")) ask();
  };
  events.onerror = () => {
    if (events?.readyState === 2) {
      events = null;
      listenAfter = Date.now() + Math.min(MAX_WAIT_MS, INITIAL_WAIT_MS * 2 ** refusals++) * (0.8 + Math.random() * 0.4);
    }
    if (!isConnected) return;
    isConnected = false;
    polls = 0;
    follow();
  };
  onMessage();
}

/** Restarts the silence timer. A stream that is silent for longer than its heartbeat is closed, even if the browser shows it as open. */
function onMessage(): void {
  clearTimeout(silenceTimer);
  silenceTimer = later(() => {
    rest();
    catchUp();
  }, SILENCE_MS);
}

function rest(): void {
  clearTimeout(nextTimer);
  clearTimeout(silenceTimer);
  events?.close();
  events = null;
  isConnected = false;
}

function later(run: () => void, ms: number): number {
  return setTimeout(run, ms) as unknown as number;
}

async function request(path: string, headers: Record<string, string>): Promise<Response> {
  const signal = AbortSignal.timeout?.(REQUEST_MS) ?? null;
  const answer = await fetch(path, { headers, cache: "no-store", signal });
  setClock(answer);
  return answer;
}
