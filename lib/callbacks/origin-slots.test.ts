import { describe, expect, test } from "vitest";
import { OriginSlots } from "@/lib/callbacks/origin-slots";
import { MAX_IN_FLIGHT_PER_ORIGIN } from "@/lib/domain/callbacks/callback";

const SHOP = "https://shop.example.com";

/** Returns the slots of a process with `count` deliveries in progress to a shop. */
function slotsWith(count: number): OriginSlots<string> {
  const slots = new OriginSlots<string>();
  for (let index = 0; index < count; index++) slots.grant(SHOP);
  return slots;
}

/** Starts waiting deliveries while there are free slots. @returns the started deliveries */
function startAll(slots: OriginSlots<string>): string[] {
  const started: string[] = [];
  for (let next = slots.next(SHOP); next; next = slots.next(SHOP)) started.push(next);
  return started;
}

describe("a process with some of the slots", () => {
  test("claims one delivery for each slot that became free, and none ahead", () => {
    const slots = slotsWith(3);
    expect(slots.request(SHOP, true)).toBe(0);
    slots.end(SHOP, true);
    slots.end(SHOP, true);
    expect(slots.request(SHOP, true)).toBe(2);
    expect(slots.request(SHOP, true)).toBe(0);
    slots.add(SHOP, 2, ["a", "b"]);
    expect(startAll(slots)).toEqual(["a", "b"]);
    expect(slots.slotsAt(SHOP)).toBe(3);
  });

  test("releases the slots for which nothing was due, but not while a statement may still claim for them", () => {
    const slots = slotsWith(3);
    slots.end(SHOP, true);
    const requested = slots.request(SHOP, false);
    slots.releaseIdle(SHOP);
    expect(slots.slotsAt(SHOP)).toBe(3);
    slots.add(SHOP, requested, []);
    slots.releaseIdle(SHOP);
    expect(slots.slotsAt(SHOP)).toBe(2);
  });

  test("loses the slot of a delivery that failed", () => {
    const slots = slotsWith(2);
    slots.end(SHOP, false);
    expect(slots.slotsAt(SHOP)).toBe(1);
    slots.end(SHOP, false);
    expect(slots.slotsAt(SHOP)).toBe(0);
  });
});

describe("a process with all slots", () => {
  test("claims ahead, and begins a waiting delivery only in a free slot", () => {
    const slots = slotsWith(MAX_IN_FLIGHT_PER_ORIGIN);
    const requested = slots.request(SHOP, true);
    expect(requested).toBeGreaterThan(0);
    slots.add(SHOP, requested, ["a", "b", "c"]);
    expect(startAll(slots)).toEqual([]);
    slots.end(SHOP, true);
    expect(startAll(slots)).toEqual(["a"]);
    expect(slots.request(SHOP, true)).toBe(requested - 2);
  });

  test("claims nothing ahead for a slow origin", () => {
    expect(slotsWith(MAX_IN_FLIGHT_PER_ORIGIN).request(SHOP, false)).toBe(0);
  });

  test("claims less ahead for each origin, the more origins there are", () => {
    const slots = slotsWith(MAX_IN_FLIGHT_PER_ORIGIN);
    const alone = slots.request(SHOP, true);
    slots.add(SHOP, alone, []);
    for (let index = 0; index < 63; index++) slots.grant(`https://shop-${index}.example.com`);
    expect(slots.request(SHOP, true)).toBeLessThan(alone);
    expect(alone).toBeLessThanOrEqual(32);
  });

  test("returns its waiting deliveries once", () => {
    const slots = slotsWith(MAX_IN_FLIGHT_PER_ORIGIN);
    slots.add(SHOP, slots.request(SHOP, true), ["a", "b"]);
    expect(slots.takeWaiting()).toEqual(["a", "b"]);
    expect(slots.takeWaiting(SHOP)).toEqual([]);
  });
});
