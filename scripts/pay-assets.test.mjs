import { expect, test } from "vitest";
import { EMBED, SCRIPT, STYLE } from "../components/pay/assets.ts";
import { MODAL_SCRIPT } from "../lib/integrations/greenfield/modal-script.ts";
import { modalScript, payAssets } from "./pay-assets.mjs";

test("the payment page's style sheet and script are those of their sources; else run: node scripts/pay-assets.mjs", () => {
  const written = payAssets();
  expect(written).toContain(JSON.stringify(STYLE));
  expect(written).toContain(JSON.stringify(SCRIPT));
  expect(written).toContain(JSON.stringify(EMBED));
  expect(modalScript()).toContain(JSON.stringify(MODAL_SCRIPT));
});

test("the script cannot end its own element", () => {
  expect(SCRIPT).not.toMatch(/<\/script|<!--/);
});

test("what shops load is at most 2 KB", () => {
  expect(EMBED.length).toBeLessThanOrEqual(2_048);
});
