const LOOK_EVERY_MS = 200;
const DEADLINE_MS = 90_000;

/** Waits for a number of milliseconds. A negative number counts as 0. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}

/**
 * Polls until no items are left or the deadline has passed.
 * @returns the items that are left
 */
export async function waitFor(left: () => Promise<string[]>): Promise<string[]> {
  const deadline = performance.now() + DEADLINE_MS;
  let some = await left();
  while (some.length > 0 && performance.now() < deadline) {
    await sleep(LOOK_EVERY_MS);
    some = await left();
  }
  return some;
}
