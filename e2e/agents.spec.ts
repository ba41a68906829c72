import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { expectAccessible } from "@/e2e/world/axe";
import { keepLooks } from "@/e2e/world/look";
import { signIn } from "@/e2e/world/office";
import { pay } from "@/e2e/world/payer";
import { expect, test } from "@/e2e/world/scenario";

test("an agent with a key for agents creates a link, sees it paid, and is in the audit log", async ({
  page,
  sandbox,
}) => {
  await signIn(page, sandbox);
  await page.goto(`${sandbox.base_url}/dashboard/settings/api-keys`);
  await page.getByRole("button", { name: "Create API key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Agent of the browser test");
  await dialog.getByLabel("For agents").check();
  await dialog.getByText("Rules and callback format").click();
  await dialog.getByLabel("Create and close payment links").check();
  await dialog.getByLabel("Read payment links").check();
  await expectAccessible(page);
  await keepLooks(page, "api-keys-for-agents");
  await dialog.getByLabel(/password/i).fill(sandbox.merchant.password);
  await dialog.getByRole("button", { name: "Create", exact: true }).click();
  const shown = page.getByText(/^sg_test_[0-9A-Za-z]{49}$/).first();
  await expect(shown).toBeVisible();
  const headers = { authorization: `Bearer ${await shown.textContent()}` };

  const client = new Client({ name: "browser-test-agent", version: "1.0.0" });
  const transport = new StreamableHTTPClientTransport(new URL(`${sandbox.base_url}/mcp`), { requestInit: { headers } });
  await client.connect(transport as Transport);
  const call = async (name: string, input: Record<string, unknown>) => {
    const { isError, structuredContent } = await client.callTool({ name, arguments: input });
    return { isError, data: structuredContent as Record<string, unknown> };
  };
  const mchLinkId = `agent-${Date.now()}`;
  const terms = { network: "bsc", currency: "USDT", amount: 3, subject: "Chair", mch_link_id: mchLinkId };
  const { data: link } = await call("create_link", terms);
  const payer = await page.context().newPage();
  await payer.goto(String(link["url"]));
  await payer.getByRole("button", { name: "Continue to payment" }).click();
  await payer.waitForURL(/\/pay\/[0-9a-z]{28}/);
  await pay(/\/pay\/([0-9a-z]{28})/.exec(payer.url())?.[1] ?? "");
  await payer.close();
  const paidOrders = async () => (await call("retrieve_link", { mch_link_id: mchLinkId })).data["paid_orders"];
  await expect.poll(paidOrders, { timeout: 60_000 }).toBe(1);
  expect(await call("create_refund", { mch_order_id: "x", mch_refund_id: "R-1" })).toMatchObject({ isError: true });
  await client.close();

  await page.goto(`${sandbox.base_url}/dashboard/settings/audit?group=agents`);
  for (const text of ["browser-test-agent 1.0.0", "create_link", "A tool call of an agent was refused"])
    await expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible();
  await page.goto(`${sandbox.base_url}/dashboard/settings/api-keys`);
  await expect(page.getByText("For agents").filter({ visible: true }).first()).toBeVisible();
});
