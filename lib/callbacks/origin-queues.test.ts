import { describe, expect, test } from "vitest";
import { OriginQueues } from "@/lib/callbacks/origin-queues";
import { MAX_IN_FLIGHT_PER_ORIGIN } from "@/lib/domain/callbacks/callback";

const SHOP = "https://shop.example.com";
const named = (count: number) => Array.from({ length: count }, (_, index) => `d${index}`);

/** Starts waiting deliveries to the shop while they may begin. @returns the started deliveries */
function startAll(queues: OriginQueues<string>): string[] {
  const started: string[] = [];
  for (let next = queues.next(SHOP); next; next = queues.next(SHOP)) started.push(next);
  return started;
}

/** Returns the queues of a process that holds deliveries to the shop. */
function queuesWith(count: number): OriginQueues<string> {
  const queues = new OriginQueues<string>();
  queues.add(SHOP, named(count));
  return queues;
}

describe("attempts", () => {
  test("begin in the order of the claims, eight at most; each that ends makes room for the next", () => {
    const queues = queuesWith(10);
    expect(startAll(queues)).toEqual(named(MAX_IN_FLIGHT_PER_ORIGIN));
    expect(queues.attempting).toBe(8);
    queues.end(SHOP);
    expect(startAll(queues)).toEqual(["d8"]);
    expect(queues.attempting).toBe(8);
  });

  test("end before their claims do", () => {
    const queues = queuesWith(2);
    startAll(queues);
    queues.end(SHOP);
    expect(queues.free(SHOP)).toBe(6);
    queues.release(SHOP);
    expect(queues.free(SHOP)).toBe(7);
  });
});

describe("claims", () => {
  test("of an origin that is not known to be fast are eight at most", () => {
    expect(queuesWith(3).free(SHOP)).toBe(5);
    expect(queuesWith(3).listAhead()).toEqual({});
    expect(new OriginQueues().free(SHOP)).toBe(8);
  });

  test("of a fast origin exceed the attempts, until something fails", () => {
    const queues = queuesWith(8);
    startAll(queues);
    queues.setFast(SHOP, true);
    const { [SHOP]: ahead = 0 } = queues.listAhead();
    expect(ahead).toBeGreaterThan(8);
    expect(queues.free(SHOP)).toBe(ahead);
    queues.add(SHOP, ["next"]);
    expect(queues.free(SHOP)).toBe(ahead - 1);
    expect(queues.takeWaiting(SHOP)).toEqual(["next"]);
    expect(queues.listAhead()).toEqual({});
    expect(queues.free(SHOP)).toBe(0);
  });

  test("of an origin that became slow exceed its limit", () => {
    const queues = queuesWith(20);
    queues.setFast(SHOP, true);
    expect(queues.free(SHOP)).toBeGreaterThan(0);
    queues.setFast(SHOP, false);
    expect(queues.free(SHOP)).toBe(-12);
  });

  test("are fewer for each origin, the more origins there are", () => {
    const queues = queuesWith(8);
    queues.setFast(SHOP, true);
    const { [SHOP]: alone = 0 } = queues.listAhead();
    for (let index = 0; index < 63; index++) queues.add(`https://shop-${index}.example.com`, ["one"]);
    const { [SHOP]: shared = 0 } = queues.listAhead();
    expect(shared).toBeGreaterThan(0);
    expect(shared).toBeLessThan(alone);
  });

  test("that wait are taken once, of one origin or of all", () => {
    const queues = queuesWith(3);
    queues.add("https://other.example.com", ["other"]);
    expect(queues.takeWaiting(SHOP)).toEqual(named(3));
    expect(queues.takeWaiting()).toEqual(["other"]);
    expect(queues.takeWaiting()).toEqual([]);
    expect(queues.next(SHOP)).toBeUndefined();
    expect(queues.free(SHOP)).toBe(8);
  });
});
