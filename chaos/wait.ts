const LOOK_EVERY_MS = 200;
const GIVE_UP_MS = 90_000;

/** Waits; not at all when the time is over. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}

/** Looks again and again until nothing is left. @returns what is left after a while */
export async function waitFor(left: () => Promise<string[]>): Promise<string[]> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  let some = await left();
  while (some.length > 0 && performance.now() < giveUpAt) {
    await sleep(LOOK_EVERY_MS);
    some = await left();
  }
  return some;
}
