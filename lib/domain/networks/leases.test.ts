import fc from "fast-check";
import { expect, test } from "vitest";
import { leasesToTake, type NetworkLease } from "@/lib/domain/networks/leases";

const nine = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
const heldBy = (owner: string, networks: readonly string[]): NetworkLease[] =>
  networks.map((network) => ({ network, owner, isFree: false }));
const namesOf = (leases: readonly NetworkLease[]) => leases.map(({ network }) => network);

test("the first worker takes all networks, including new ones", () => {
  expect(namesOf(leasesToTake([], "one", nine))).toEqual(nine);
});

test("a second one takes half of them, and neither takes anything after that", () => {
  const reserved = namesOf(leasesToTake(heldBy("one", nine), "two", nine));
  expect(reserved).toHaveLength(4);
  const leases = [
    ...heldBy("two", reserved),
    ...heldBy(
      "one",
      nine.filter((network) => !reserved.includes(network)),
    ),
  ];
  expect(leasesToTake(leases, "one", nine)).toEqual([]);
  expect(leasesToTake(leases, "two", nine)).toEqual([]);
});

test("leases of a dead worker are taken at once by any other", () => {
  const leases = [
    ...heldBy("two", nine.slice(0, 4)),
    ...nine.slice(4).map((network) => ({ network, owner: "one", isFree: true })),
  ];
  expect(namesOf(leasesToTake(leases, "two", nine))).toEqual(nine.slice(4));
});

test("a worker takes its own expired lease again", () => {
  const leases = [
    { network: "a", owner: "one", isFree: true },
    { network: "b", owner: "one", isFree: false },
  ];
  expect(namesOf(leasesToTake(leases, "one", ["a", "b"]))).toEqual(["a"]);
});

test("nothing is taken of networks that the worker has no endpoints for", () => {
  expect(namesOf(leasesToTake(heldBy("one", nine), "two", ["b"]))).toEqual(["b"]);
  expect(leasesToTake(heldBy("one", nine), "two", ["z"])).toEqual([{ network: "z", owner: null, isFree: true }]);
  expect(leasesToTake([...heldBy("one", nine), ...heldBy("two", ["z"])], "two", ["z"])).toEqual([]);
});

test("any number of workers with any sets of networks converge on every network being held, and share common ones", () => {
  const workers = fc.array(fc.subarray(nine, { minLength: 1 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(workers, fc.boolean(), (chosen, isSame) => {
      const served = isSame ? chosen.map(() => nine) : chosen;
      const owners = new Map<string, string>();
      const leases = () => [...owners].map(([network, owner]) => ({ network, owner, isFree: false }));
      let rounds = 0;
      let moved = true;
      while (moved) {
        moved = false;
        for (const [index, networks] of served.entries())
          for (const { network } of leasesToTake(leases(), `w${index}`, networks)) {
            owners.set(network, `w${index}`);
            moved = true;
          }
        rounds += 1;
        expect(rounds).toBeLessThan(30);
      }
      expect([...owners.keys()].sort()).toEqual([...new Set(served.flat())].sort());
      if (!isSame) return;
      const counts = served.map((_, index) => [...owners.values()].filter((owner) => owner === `w${index}`).length);
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    }),
  );
});
