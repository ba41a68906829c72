import { expect, test } from "vitest";
import { PayProblem } from "@/sandbox/wallets/pay-order";
import { createWalletHandler } from "@/sandbox/wallets/wallet-handler";

function setUp() {
  const state = { paid: 0, ms: 0 };
  const pay = async (tradeId: string) => {
    if (tradeId !== "01known") throw new PayProblem("This order does not exist");
    state.paid++;
    return { transactions: [`0x${state.paid}`] };
  };
  return { state, entry: createWalletHandler("pay", pay, () => state.ms) };
}

const click = (accept?: string) =>
  new Request("http://localhost/sandbox/pay/01known", { method: "POST", headers: accept ? { accept } : {} });

test("303: the button pays and goes back to the page", async () => {
  const { entry } = setUp();
  const response = await entry(click("text/html"), { id: "01known" });
  expect(response.status).toBe(303);
  expect(response.headers.get("location")).toBe("/pay/01known");
});

test("303: the page keeps the selected language", async () => {
  const { entry } = setUp();
  const request = new Request("http://localhost/sandbox/pay/01known?lang=pt-BR", { method: "POST" });
  expect((await entry(request, { id: "01known" })).headers.get("location")).toBe("/pay/01known?lang=pt-BR");
});

test("200: a program receives the transaction", async () => {
  const { entry } = setUp();
  const response = await entry(click("application/json"), { id: "01known" });
  expect(await response.json()).toEqual({ trade_id: "01known", tx_hash: "0x1" });
});

test("a double click pays once, a later click again", async () => {
  const { entry, state } = setUp();
  await Promise.all([entry(click(), { id: "01known" }), entry(click(), { id: "01known" })]);
  expect(state.paid).toBe(1);
  state.ms = 6_000;
  await entry(click(), { id: "01known" });
  expect(state.paid).toBe(2);
});

test("404: an unknown order is refused with a message", async () => {
  const { entry } = setUp();
  const response = await entry(click(), { id: "01unknown" });
  expect(response.status).toBe(404);
  expect(await response.text()).toBe("This order does not exist");
});

test("a deposit address is paid likewise, and shown on its own page", async () => {
  const entry = createWalletHandler(
    "deposit",
    async () => ({ transactions: ["0x7"] }),
    () => 0,
  );
  expect((await entry(click("text/html"), { id: "01known" })).headers.get("location")).toBe("/deposit/01known");
  const answer = await entry(click("application/json"), { id: "01known" });
  expect(await answer.json()).toEqual({ deposit_address_id: "01known", tx_hash: "0x7" });
});
