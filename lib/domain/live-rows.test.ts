import fc from "fast-check";
import { expect, test } from "vitest";
import { type LivePage, mergeLive, readLive, writeLive } from "@/lib/domain/live-rows";

const PAGE = 3;
const at = new Date("2026-03-01T10:00:00Z");
const row = (id: string, state = "pending") => ({ id, state });
const page = (rows: ReturnType<typeof row>[], until: string | null = null) => ({ rows, until, at });
const shownBy = (merged: ReturnType<typeof mergeLive<ReturnType<typeof row>>>) =>
  merged.rows.map(({ row: { id, state }, isGone }) => `${id} ${isGone ? "gone" : state}`);

test("a row that changed is shown as it is now, at its place; new ones are counted and move nothing", () => {
  const shown = [row("5"), row("4"), row("3")];
  const merged = mergeLive(shown, page([row("7"), row("6"), row("5"), row("4", "paid"), row("3"), row("2")]), PAGE);
  expect(shownBy(merged)).toEqual(["5 pending", "4 paid", "3 pending"]);
  expect(merged.newCount).toBe(2);
});

test("rows that no longer match the filter are named; rows pushed off the page are not", () => {
  const shown = [row("5"), row("4"), row("3")];
  expect(shownBy(mergeLive(shown, page([row("5"), row("3")]), PAGE))).toEqual(["5 pending", "4 gone", "3 pending"]);
  const pushed = mergeLive(shown, page([row("9"), row("8"), row("5")], "5"), PAGE);
  expect(shownBy(pushed)).toEqual(["5 pending", "4 pending", "3 pending"]);
});

test("an order that now matches the filter is marked as new at any position, except below a full page", () => {
  expect(mergeLive([row("9"), row("5")], page([row("9"), row("7"), row("5"), row("2")]), PAGE).newCount).toBe(2);
  expect(mergeLive([row("9"), row("5"), row("4")], page([row("9"), row("7"), row("5"), row("2")]), PAGE).newCount).toBe(
    1,
  );
  expect(mergeLive([], page([row("1")]), PAGE).newCount).toBe(1);
});

test("base units and times are serialised losslessly at any depth", () => {
  const LEAF = fc.oneof(fc.bigInt(), fc.date({ noInvalidDate: true }), fc.string(), fc.integer(), fc.constant(null));
  const ROW = fc.record({ id: fc.string(), some: fc.array(LEAF), inner: fc.record({ one: LEAF, other: LEAF }) });
  fc.assert(
    fc.property(fc.array(ROW), (rows) => {
      const live: LivePage<(typeof rows)[number]> = { rows, until: null, at };
      expect(readLive(writeLive(live))).toEqual(live);
    }),
  );
});
