import { expect, test } from "vitest";
import { createInTurn } from "@/lib/plugins/in-turn";

test("work of one key runs one after another, also after a failure; other keys do not wait", async () => {
  const inTurn = createInTurn();
  const log: string[] = [];
  let finishFirst = () => {};
  const first = inTurn("a", async () => {
    await new Promise<void>((resolve) => {
      finishFirst = resolve;
    });
    log.push("a1");
    throw new Error("failed");
  });
  const second = inTurn("a", async () => {
    log.push("a2");
    return 2;
  });
  await inTurn("b", async () => void log.push("b1"));
  expect(log).toEqual(["b1"]);
  finishFirst();
  await expect(first).rejects.toThrow("failed");
  expect(await second).toBe(2);
  expect(log).toEqual(["b1", "a1", "a2"]);
});
