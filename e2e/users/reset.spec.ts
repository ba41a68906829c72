import { randomBytes } from "node:crypto";
import * as z from "zod";
import { expectAccessible } from "@/e2e/world/axe";
import { keepLooks } from "@/e2e/world/look";
import { register, typePassword, verifyEmail } from "@/e2e/world/office";
import { expect, test } from "@/e2e/world/scenario";
import { dialogOf, setUpApp, takeCodes } from "@/e2e/world/second-factor";

const Arrived = z.array(
  z.looseObject({
    mail: z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string() }).optional(),
  }),
);

test("a forgotten password: a link comes by mail, a new password counts, other browsers are out, the second factor is asked for", async ({
  page,
  sandbox,
  browser,
}) => {
  const person = await register(page, sandbox, `forgot-${randomBytes(4).toString("hex")}`);
  // The first password reset link of an unverified account would remove the second factor.
  await verifyEmail(sandbox, person.email);
  await page.goto(`${sandbox.base_url}/dashboard/settings/security`);
  await setUpApp(page, person.password);
  const codes = await takeCodes(page);
  const mails = async () => {
    const all = Arrived.parse(await (await fetch(`${sandbox.post_url}/messages`)).json());
    return all.flatMap(({ mail }) => (mail?.to === person.email ? [mail] : []));
  };
  const subjects = async () => (await mails()).map(({ subject }) => subject);
  await expect.poll(subjects).toEqual(["Security change in your account"]);

  const elsewhere = await browser.newContext();
  const other = await elsewhere.newPage();
  await other.goto(`${sandbox.base_url}/login`);
  await other.getByRole("link", { name: "Forgot your password?" }).click();
  await expect(other.getByRole("heading", { name: "Reset your password" })).toBeVisible();
  await expectAccessible(other);
  await keepLooks(other, "forgot");
  await other.getByLabel("Email").fill(person.email);
  await other.getByRole("button", { name: "Send link" }).click();
  await expect(other.getByText("Check your inbox")).toBeVisible();
  await expectAccessible(other);
  await keepLooks(other, "forgot-sent");
  await expect.poll(async () => (await subjects()).at(-1)).toBe("Set a new password");
  const mail = (await mails()).at(-1);
  const link = /https?:\/\/\S+\/reset\/[\w-]{43}/.exec(mail?.text ?? "")?.[0] ?? "";

  await other.setContent(mail?.html ?? "");
  await keepLooks(other, "mail-reset");
  await other.goto(link);
  await expect(other.getByText(person.email).first()).toBeVisible();
  await expectAccessible(other);
  await keepLooks(other, "reset");
  await other.getByLabel("New password").fill("short");
  await other.getByRole("button", { name: "Set password" }).click();
  await expect(other.getByText("Use at least 10 characters")).toBeVisible();
  const password = "battery staple horse";
  await other.getByLabel("New password").fill(password);
  await other.getByRole("button", { name: "Set password" }).click();
  await expect(other.getByText("Your password was changed")).toBeVisible();

  // The specification allows five seconds; the next request is already refused.
  await page.goto(`${sandbox.base_url}/dashboard/orders`);
  await expect(page).toHaveURL(/\/login/);
  await typePassword(page, sandbox, person);
  await expect(page.getByRole("alert").first()).toContainText("is incorrect");
  await other.getByLabel("Password").fill(password);
  await other.getByRole("button", { name: "Sign in" }).click();
  await expect(other.getByRole("heading", { name: "Second factor" })).toBeVisible();
  await other.getByLabel("Authentication code").fill(codes[0] ?? "");
  await other.getByRole("button", { name: "Continue" }).click();
  await expect(other).toHaveURL(/\/dashboard/);
  await expect.poll(async () => (await mails()).some(({ text }) => text.includes("Password reset"))).toBe(true);
  await expect.poll(async () => (await mails()).some(({ text }) => text.includes("recovery code"))).toBe(true);

  await other.goto(link);
  await expect(other.getByText("This link is no longer valid")).toBeVisible();
  await expectAccessible(other);
  await keepLooks(other, "reset-gone");
  await expect(dialogOf(other)).toHaveCount(0);
  await elsewhere.close();
});
