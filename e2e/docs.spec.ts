import { expectAccessible } from "@/e2e/world/axe";
import { keepLooks } from "@/e2e/world/look";
import { expect, test } from "@/e2e/world/scenario";

test("a developer finds a field, reads the example in Python and creates an order with an own key", async ({
  page,
  sandbox,
}) => {
  await page.goto(`${sandbox.base_url}/docs`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Stablegate API");
  await expectAccessible(page);
  await keepLooks(page, "docs-start");

  await page.keyboard.press("/");
  await page.keyboard.type("mch_order_id create request");
  const hit = page.getByRole("option", { name: "mch_order_id Create an order, request" });
  await expect(hit).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/docs/create-order#request-mch_order_id");
  await expect(page.locator("#request-mch_order_id")).toBeInViewport();

  const example = page.getByRole("region", { name: "Request with Python" });
  await expect(example).toBeHidden();
  await page.getByLabel("Language of the example").selectOption("Python");
  await expect(example).toContainText('os.environ["STABLEGATE_API_KEY"]');
  await expect(page.getByRole("region", { name: "Request with curl" })).toBeHidden();

  await page.getByLabel("API key", { exact: true }).fill(sandbox.api_key);
  const number = `docs-${Date.now()}`;
  const [network = ""] = Object.keys(sandbox.networks);
  const body = { currency: "USDT", network, amount: 3, mch_order_id: number };
  await page.getByLabel("Request body").fill(JSON.stringify(body));
  await page.getByRole("button", { name: "Send request" }).click();
  const result = page.getByRole("region", { name: "Response of this installation" });
  await expect(result).toContainText('"payment_url"');
  await expect(page.getByText(/^HTTP 200, \d+ ms, request /)).toBeVisible();
  await expectAccessible(page);
  await keepLooks(page, "docs-operation");

  // The language and the key are preserved on the next page, but only in this tab.
  await page.goto(`${sandbox.base_url}/docs/retrieve-order`);
  await expect(page.getByRole("region", { name: "Request with Python" })).toBeVisible();
  await page
    .getByText(/^Fields of Transfer/)
    .first()
    .click();
  await expect(page.locator("#response-transfers-tx_hash")).toBeVisible();
  await page.getByLabel("Request body").fill(JSON.stringify({ mch_order_id: number }));
  await page.getByRole("button", { name: "Send request" }).click();
  await expect(result).toContainText(number);
  await page.getByLabel("Request body").fill("{");
  await page.getByRole("button", { name: "Send request" }).click();
  await expect(page.getByText("The request was not sent")).toBeVisible();
  const other = await page.context().newPage();
  await other.goto(`${sandbox.base_url}/docs/retrieve-order`);
  await expect(other.getByLabel("API key", { exact: true })).toHaveValue("");
});

test("an example is copied, and a link to a nested field opens the object around it", async ({
  page,
  sandbox,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`${sandbox.base_url}/docs/retrieve-order#response-transfers-tx_hash`);
  await expect(page.locator("#response-transfers-tx_hash")).toBeInViewport();
  await page.getByRole("button", { name: "Copy" }).first().click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("curl ");
});

test("the reference works on a phone and without a script", async ({ browser, sandbox }) => {
  const phone = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const page = await phone.newPage();
  await page.goto(`${sandbox.base_url}/docs/webhooks`);
  const entry = page.getByRole("navigation").getByRole("link", { name: "Create an order" });
  await expect(entry).toBeHidden();
  await page.getByText("Contents").click();
  await expect(entry).toBeVisible();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBe(0);
  await keepLooks(page, "docs-webhooks");
  await phone.close();

  const plain = await browser.newContext({ javaScriptEnabled: false });
  const still = await plain.newPage();
  await still.goto(`${sandbox.base_url}/docs/create-order`);
  await expect(still.getByRole("region", { name: "Request with curl" })).toContainText("curl ");
  await expect(still.getByText("Try it")).toBeHidden();
  await still.getByRole("link", { name: "Errors" }).first().click();
  await expect(still.locator("#error-10004")).toBeVisible();
  await plain.close();
});
