import { expect, test } from "vitest";
import { Shutdown } from "@/scripts/supervisor/shutdown";

function setUp() {
  const stopped: string[] = [];
  const stop = (name: string) => async () => {
    stopped.push(name);
  };
  return { shutdown: new Shutdown(), stopped, stop };
}

test("parts stop in the reverse of what they need, whatever the order they came in", async () => {
  const { shutdown, stopped, stop } = setUp();
  for (const stage of ["lock", "machines", "connections", "shop", "programs", "announcement"] as const)
    shutdown.add(stage, stop(stage));
  await shutdown.run(Promise.resolve());
  expect(stopped).toEqual(["announcement", "programs", "shop", "connections", "machines", "lock"]);
});

test("a part that fails to stop does not keep the others running", async () => {
  const { shutdown, stopped, stop } = setUp();
  shutdown.add("programs", () => Promise.reject(new Error("stuck")));
  shutdown.add("machines", stop("machines"));
  await shutdown.run(Promise.resolve());
  expect(stopped).toEqual(["machines"]);
});

test("a program that is started during the shutdown is stopped too", async () => {
  const { shutdown, stopped, stop } = setUp();
  const starting = Promise.resolve().then(() => shutdown.add("machines", stop("late")));
  await shutdown.run(starting);
  expect(stopped).toEqual(["late"]);
});

test("asking twice stops once", async () => {
  const { shutdown, stopped, stop } = setUp();
  shutdown.add("shop", stop("shop"));
  await Promise.all([shutdown.run(Promise.resolve()), shutdown.run(Promise.resolve())]);
  expect(stopped).toEqual(["shop"]);
});
