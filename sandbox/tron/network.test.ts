import { expect, test } from "vitest";
import { blockId, heightOf, toBase58Address, toEvmAddress, toTronHex, USDT } from "@/sandbox/tron/network";

const EVM = "0xa614f803b6fd780986a42c78ec9c7f77e6ded13c";

test("an address is the same in all its forms", () => {
  for (const form of [USDT, EVM, `41${EVM.slice(2)}`, EVM.slice(2).toUpperCase()]) expect(toEvmAddress(form)).toBe(EVM);
  expect(toTronHex(EVM)).toBe(`41${EVM.slice(2)}`);
  expect(toBase58Address(EVM)).toBe(USDT);
});

test.each(["", "T", `${USDT}x`, "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T", EVM.slice(0, -2)])("%s is no address", (text) => {
  expect(() => toEvmAddress(text)).toThrow();
});

test("a block's id begins with its height in sixteen digits", () => {
  const id = blockId(84_940_364, `0x${"ab".repeat(32)}`);
  expect(id).toBe(`000000000510164c${"ab".repeat(24)}`);
  expect([heightOf(id), heightOf(`0x${id}`)]).toEqual([84_940_364, 84_940_364]);
});
