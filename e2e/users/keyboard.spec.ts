import { randomBytes } from "node:crypto";
import { choose, expectPage, pressOn, typeInto } from "@/e2e/world/keyboard";
import { findOrder } from "@/e2e/world/merchant";
import { register } from "@/e2e/world/office";
import { pay } from "@/e2e/world/payer";
import { expect, test } from "@/e2e/world/scenario";
import { dialogOf, setUpApp, takeCodes } from "@/e2e/world/second-factor";

test("by keyboard alone: from registration with an authenticator app to a payment link that is paid", async ({
  page,
  sandbox,
}) => {
  // Any use of a mouse fails this test.
  const noMouse = () => Promise.reject(new Error("this scenario has no mouse"));
  Object.assign(page.mouse, { move: noMouse, down: noMouse, click: noMouse });
  const person = await register(page, sandbox, `keys-${randomBytes(4).toString("hex")}`);
  const dialog = dialogOf(page);
  const goTo = (name: string) => pressOn(page, page.getByRole("link", { name, exact: true }).filter({ visible: true }));

  await goTo("Security");
  await expect(page.getByRole("heading", { level: 1, name: "Security" })).toBeVisible();
  await setUpApp(page, person.password);
  const codes = await takeCodes(page);
  await expectPage(page, "after the recovery codes, though the button that began it is gone");

  const prove = async (code: string | undefined) => {
    await typeInto(page, dialog.getByLabel("Your password"), person.password);
    await typeInto(page, dialog.getByLabel("Authentication code"), code ?? "");
  };
  await goTo("Receiving addresses");
  const address = `0x${randomBytes(20).toString("hex")}`;
  const add = page.getByRole("button", { name: "Add address" }).first();
  await pressOn(page, add);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(add).toBeFocused();
  await page.keyboard.press("Enter");
  await pressOn(page, dialog.getByRole("button", { name: "One shared address" }));
  await expect(dialog.getByLabel("Network")).toBeFocused();
  await choose(page, dialog.getByLabel("Network"), "BNB");
  await typeInto(page, dialog.getByLabel("Address", { exact: true }), address);
  await typeInto(page, dialog.getByLabel("Enter the address again"), address);
  await prove(codes[0]);
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  await expectPage(page, "after the address is added");

  await goTo("API keys");
  await pressOn(page, page.getByRole("button", { name: "Create API key" }).first());
  await typeInto(page, dialog.getByLabel("Name"), "Till");
  await prove(codes[1]);
  await page.keyboard.press("Enter");
  const shown = dialog.getByText(/^sg_test_[0-9A-Za-z]{49}$/).first();
  await expect(shown).toBeVisible();
  const apiKey = (await shown.textContent()) ?? "";
  await page.keyboard.press("Escape");
  await expect(shown).toBeVisible();
  await expectPage(page, "while the key is shown");
  await pressOn(page, dialog.getByLabel("I have stored the key and the secret"), "Space");
  await pressOn(page, dialog.getByRole("button", { name: "Done" }));
  await expect(dialog).toHaveCount(0);
  await expectPage(page, "after the key is shown");

  await goTo("Payment links");
  await pressOn(page, page.getByRole("button", { name: "Create payment link" }).first());
  await typeInto(page, dialog.getByRole("textbox", { name: "Amount" }), "7.5");
  await choose(page, dialog.getByLabel("Network"), "BNB");
  await pressOn(page, dialog.getByRole("button", { name: "Create payment link" }));
  await expect(page).toHaveURL(/\/dashboard\/links\/[0-9a-z]{28}$/);
  await expectPage(page, "after the payment link is created");
  const back = page.url();
  await page.goto((await page.getByText(/\/link\/[0-9a-z]{28}$/).textContent()) ?? "");
  await pressOn(page, page.getByRole("button", { name: "Continue to payment" }));
  await expect(page).toHaveURL(/\/pay\/[0-9a-z]{28}/);
  const tradeId = new URL(page.url()).pathname.slice(-28);
  await pay(tradeId);
  await expect.poll(async () => (await findOrder({ ...sandbox, api_key: apiKey }, tradeId)).status).toBe("paid");
  await page.goto(back);
  await pressOn(page, page.locator(`a[href$="/dashboard/orders/${tradeId}"]`));
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Paid");
});

test("focus that its button took with it goes to the page's heading", async ({ page, sandbox }) => {
  const person = await register(page, sandbox, `focus-${randomBytes(4).toString("hex")}`);
  await pressOn(page, page.getByRole("link", { name: "API keys", exact: true }).filter({ visible: true }));
  const generate = page.getByRole("button", { name: "Create API key" }).first();
  await pressOn(page, generate);
  await typeInto(page, dialogOf(page).getByLabel("Name"), "Till");
  await typeInto(page, dialogOf(page).getByLabel("Your password"), person.password);
  await page.keyboard.press("Enter");
  await pressOn(page, dialogOf(page).getByLabel("I have stored the key and the secret"), "Space");
  await pressOn(page, dialogOf(page).getByRole("button", { name: "Done" }));
  await expect(dialogOf(page)).toHaveCount(0);
  await expectPage(page, "after the key is shown");

  await pressOn(page, page.getByRole("button", { name: /^Actions/ }).first());
  const revoke = page.getByRole("menuitem", { name: /^Revoke/ });
  await revoke.waitFor();
  // Menu items are reached with the arrow keys.
  while (!(await revoke.evaluate((one) => one === document.activeElement))) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await typeInto(page, dialogOf(page).getByRole("textbox").first(), "Till");
  await typeInto(page, dialogOf(page).getByLabel("Your password"), person.password);
  await page.keyboard.press("Enter");
  await expect(dialogOf(page)).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
});
