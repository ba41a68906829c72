import { randomBytes } from "node:crypto";
import { expectAccessible } from "@/e2e/world/axe";
import { keepLooks } from "@/e2e/world/look";
import { addAddress, register, signIn } from "@/e2e/world/office";
import { payOrder } from "@/e2e/world/refunds";
import { expect, test } from "@/e2e/world/scenario";

test("a new shop follows the first steps: the contact is asked there, and a step can be skipped", async ({
  page,
  sandbox,
}) => {
  const person = await register(page, sandbox, `steps-${randomBytes(4).toString("hex")}`);
  await expect(page.getByText("0 of 6 done")).toBeVisible();
  await expect(page.getByRole("link", { name: "Choose how customers pay" })).toBeVisible();
  await expectAccessible(page);
  await keepLooks(page, "home-first-steps");
  await addAddress(page, sandbox, person.password);
  await page.goto(`${sandbox.base_url}/dashboard`);
  const contact = page.getByRole("listitem").filter({ hasText: "Add a contact for customers" });
  await contact.getByLabel("Contact for customers").fill("not a contact");
  await contact.getByLabel("Your password").fill(person.password);
  await contact.getByRole("button", { name: "Save contact" }).click();
  await expect(contact.getByText("Enter a page such as")).toBeVisible();
  await keepLooks(page, "home-contact");
  await contact.getByLabel("Contact for customers").fill("help@shop.example.com");
  await contact.getByLabel("Your password").fill(person.password);
  await contact.getByRole("button", { name: "Save contact" }).click();
  await expect(page.getByText("2 of 6 done")).toBeVisible();
  const callback = page.getByRole("listitem").filter({ hasText: "Receive a callback" });
  await callback.getByRole("button", { name: "Skip" }).click();
  await expect(page.getByText("3 of 6 done")).toBeVisible();
  await page.goto(`${sandbox.base_url}/dashboard/settings/checkout`);
  await expect(page.getByPlaceholder("help@shop.example.com")).toHaveValue("help@shop.example.com");
});

test("the charts of Home are shown as charts and as tables, and say when there is nothing to show", async ({
  page,
  sandbox,
}) => {
  await payOrder(sandbox, { network: "bsc", currency: "USDT", amount: 6 });
  await signIn(page, sandbox);
  await page.goto(`${sandbox.base_url}/dashboard`);
  const charts = page.getByRole("navigation", { name: "Chart" });
  await expect(page.getByText("Volume by day (UTC)").first()).toBeVisible();
  await expectAccessible(page);
  await keepLooks(page, "home-charts");
  for (const name of ["Conversion", "Time to pay", "Volume"]) {
    await charts.getByRole("link", { name }).click();
    await expect(charts.getByRole("link", { name })).toHaveAttribute("aria-current", "true");
    await page.getByRole("link", { name: "Show as table" }).click();
    await expect(page.getByRole("table", { name: `${name} by day (UTC)` })).toBeVisible();
    await expectAccessible(page);
    await keepLooks(page, `home-table-${name.toLowerCase().replaceAll(" ", "-")}`);
    await page.getByRole("link", { name: "Show as chart" }).click();
    await expect(page.getByRole("link", { name: "Show as table" })).toBeVisible();
  }
});
