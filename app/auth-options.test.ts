import { encode } from "next-auth/jwt";
import { expect, test } from "vitest";
import { openCookie } from "@/app/auth-options";
import { deriveKey } from "@/lib/merchants/vault";
import { TEST_ENV } from "@/testing/web";

const OLD = "the secret that made cookies until now";
const NEW = "the secret that makes cookies from now on";
const cookieOf = (secret: string, salt?: string) =>
  encode({ token: { sub: "session" }, secret: deriveKey(secret, "session").toString("base64"), ...(salt && { salt }) });
const open = (appSecret: (typeof TEST_ENV)["appSecret"], token: string, salt?: string) =>
  openCookie({ env: { ...TEST_ENV, appSecret } }, { token, ...(salt && { salt }) });

test("a change of APP_SECRET ends no session; afterwards cookies of the old secret are invalid", async () => {
  const old = await cookieOf(OLD);
  const made = await cookieOf(NEW);
  for (const both of [
    { primary: OLD, secondary: NEW },
    { primary: NEW, secondary: OLD },
  ])
    for (const token of [old, made]) expect(await open(both, token)).toMatchObject({ sub: "session" });
  expect(await open(NEW, made)).toMatchObject({ sub: "session" });
  expect(await open(NEW, old)).toBeNull();
});

test("a ticket of the second step is no session, under either secret", async () => {
  const ticket = await cookieOf(OLD, "second-step");
  const both = { primary: NEW, secondary: OLD };
  expect(await open(both, ticket, "second-step")).toMatchObject({ sub: "session" });
  expect(await open(both, ticket)).toBeNull();
});
