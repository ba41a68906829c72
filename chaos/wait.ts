const LOOK_EVERY_MS = 200;
const DEADLINE_MS = 90_000;

/** Waits; not at all when the time is over. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}

/** Looks again and again until nothing is left. @returns what is left after a while */
export async function waitFor(left: () => Promise<string[]>): Promise<string[]> {
  const deadline = performance.now() + DEADLINE_MS;
  let some = await left();
  while (some.length > 0 && performance.now() < deadline) {
    await sleep(LOOK_EVERY_MS);
    some = await left();
  }
  return some;
}
