import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { createContext } from "@/app/context";
import { keepDevice, knownDevice } from "@/app/device-cookie";
import { TEST_ENV } from "@/testing/web";

/** The cookies of the only browser of this test. */
const jar = vi.hoisted(() => new Map<string, { value: string; options: object }>());
vi.mock("next/headers", () => ({
  cookies: async () => ({
    get: (name: string) => jar.get(name),
    set: (name: string, value: string, options: object) => void jar.set(name, { value, options }),
  }),
}));

globalThis.stablegateContext = createContext(TEST_ENV);
afterAll(() => globalThis.stablegateContext?.close());
beforeEach(() => jar.clear());

const NAME = "__Host-stablegate.device";

test("a browser is known to the accounts that it signed in to, and to no other", async () => {
  expect(await knownDevice("ann@example.com")).toBeNull();
  await keepDevice("Ann@Example.com ");
  const id = await knownDevice("ann@example.com");
  expect(id).toMatch(/^[\w-]{22}$/);
  expect(await knownDevice("bob@example.com")).toBeNull();
  await keepDevice("bob@example.com");
  expect(await knownDevice("bob@example.com")).toBe(id);
  expect(await knownDevice("ann@example.com")).toBe(id);
  expect(await knownDevice(null)).toBe(id);
  for (let count = 0; count < 5; count++) await keepDevice(`other-${count}@example.com`);
  expect(await knownDevice("ann@example.com")).toBeNull();
});

test("the cookie is encrypted, for this host and forms of ours alone, and nothing else passes for it", async () => {
  await keepDevice("ann@example.com");
  const kept = jar.get(NAME);
  expect(kept?.options).toMatchObject({ httpOnly: true, secure: true, sameSite: "strict", path: "/" });
  expect(kept?.value).not.toContain("ann");
  jar.set(NAME, { value: `${kept?.value.slice(0, -2)}xx`, options: {} });
  expect(await knownDevice("ann@example.com")).toBeNull();
  jar.set(NAME, { value: "", options: {} });
  expect(await knownDevice(null)).toBeNull();
});
