import { expect, test } from "vitest";
import { leadBrowser } from "@/app/greenfield/[[...path]]/lead-browser";
import { BTCPAY_MODAL } from "@/components/pay/assets";

const ask = (target: string, known: string | null = null) =>
  leadBrowser({ method: "GET", target, header: (name) => (name === "if-none-match" ? known : null) });

test.each(["/greenfield/modal/btcpay.js", "/greenfield//modal/btcpay.js?ver=2.4.1"])(
  "200: %s is the script, which any shop may load, and no more than 2 KB",
  (target) => {
    const answer = ask(target);
    expect(answer).toMatchObject({ status: 200, body: BTCPAY_MODAL });
    expect(Buffer.byteLength(BTCPAY_MODAL)).toBeLessThanOrEqual(2_048);
    expect(answer?.headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cross-origin-resource-policy": "cross-origin",
    });
    expect(ask(target, answer?.headers["etag"] ?? "")?.status).toBe(304);
  },
);

test("it has every call that plugins make", () => {
  const calls = ["showInvoice", "appendInvoiceFrame", "showFrame", "hideFrame", "setApiUrlPrefix"];
  const events = ["onModalWillEnter", "onModalWillLeave", "onModalReceiveMessage"];
  for (const name of [...calls, ...events]) expect(BTCPAY_MODAL).toMatch(new RegExp(`\\b${name}\\b`));
});

test("a server's question is left to the protocol", () => {
  expect(leadBrowser({ method: "POST", target: "/greenfield/modal/btcpay.js", header: () => null })).toBeNull();
  for (const path of ["api/v1/server/info", "modal/btcpay.js/x", "modal", ""])
    expect(ask(`/greenfield/${path}`)).toBeNull();
});
