import pino from "pino";
import { expect, test, vi } from "vitest";
import { createPluginKeyOpener } from "@/lib/callbacks/plugin-key-opener";
import * as vault from "@/lib/merchants/vault";

const SECRET = "0123456789abcdef0123456789abcdef";
const keyOf = (id: string, text: string) => ({ id, keyCipher: vault.encrypt(SECRET, `plugin_keys:${id}`, text) });
const open = vi.spyOn(vault, "open");

test("a key is decrypted once, until its ciphertext changes; one that cannot be decrypted is reported once", () => {
  const lines: string[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void lines.push(line) });
  const opener = createPluginKeyOpener({ appSecret: SECRET, log });
  const first = keyOf("one", "first");
  open.mockClear();
  expect([opener(first), opener(first)]).toEqual(["first", "first"]);
  expect(open).toHaveBeenCalledTimes(1);
  expect(opener(keyOf("one", "second"))).toBe("second");
  const moved = { ...first, id: "two" };
  expect([opener(moved), opener(moved)]).toEqual([null, null]);
  expect(lines).toHaveLength(1);
});

test("the least recently used key is forgotten where there are too many", () => {
  const opener = createPluginKeyOpener({ appSecret: SECRET, log: pino({ level: "silent" }) });
  const first = keyOf("first", "plain");
  opener(first);
  for (let count = 0; count < 1_999; count++) opener(keyOf(`k${count}`, "x"));
  open.mockClear();
  opener(first);
  expect(open).not.toHaveBeenCalled();
  opener(keyOf("another", "x"));
  opener(keyOf("last", "x"));
  open.mockClear();
  opener(first);
  expect(open).not.toHaveBeenCalled();
});
