import { expect, test } from "vitest";
import { type KeyRow, KeyTable } from "@/components/dashboard/api-keys/table";
import { HostedPlugins } from "@/components/dashboard/plugins/hosted-plugins";
import { MerchantId } from "@/components/dashboard/plugins/merchant-id";
import { DEFAULT_RULES } from "@/lib/domain/keys/key-rules";
import { renderInEnglish } from "@/testing/in-english";

const now = new Date("2026-03-01T10:00:00Z");
const pluginRequestedAt = new Date("2026-03-01T09:57:00Z");
const ID = "01kaq2e3d5000ma7y2p4t6v8wxzc";
const requested = { id: "k1", name: "Web <shop>", prefix: "sg_live_Ab12Cd", pluginRequestedAt };

const section = (keys: (typeof requested)[]) =>
  renderInEnglish(HostedPlugins, {
    merchantId: ID,
    publicUrl: "https://pay.example.com",
    requested: keys,
    now,
    actionsFor: ({ id }) => <button type="button">{id}</button>,
  });

test("the values that a plugin asks for can be copied", () => {
  for (const html of [section([]), renderInEnglish(MerchantId, { id: ID })]) {
    expect(html).toContain(ID);
    expect(html).toMatch(/<button[^>]*aria-label="Copy[^"]*Merchant ID/);
  }
  expect(section([])).toContain("https://pay.example.com");
  expect(section([])).not.toContain("asked to use");
});

test("a request names the key, its name and its time, beside the actions", () => {
  const html = section([requested]);
  expect(html).toContain("A plugin asked to use the key sg_live_Ab12Cd… (Web &lt;shop&gt;)");
  expect(html).toContain(pluginRequestedAt.toISOString());
  expect(html).toContain(">k1</button>");
});

test("the list of keys marks keys that are for a plugin or for agents, and links a request to the Plugins page", () => {
  const key: KeyRow = {
    ...{ id: "k1", name: "Web shop", prefix: "sg_live_Ab12Cd", createdAt: now, lastUsedAt: null, endsAt: null },
    ...{ rotatedToId: null, pluginRequestedAt: null, isDefault: false, isLive: true, optIns: [] },
    ...DEFAULT_RULES,
  };
  const tableOf = (change: Partial<KeyRow>) =>
    renderInEnglish(KeyTable, { keys: [{ ...key, ...change }], now, actionsFor: () => null });
  expect(tableOf({})).not.toMatch(/plugin/i);
  expect(tableOf({ isForPlugin: true })).toContain("For a plugin");
  expect(tableOf({})).not.toContain("For agents");
  expect(tableOf({ isForAgents: true })).toContain("For agents");
  const html = tableOf({ pluginRequestedAt });
  expect(html).toContain('href="/dashboard/settings/plugins"');
  expect(html).toContain("A plugin asked to use this key");
});
