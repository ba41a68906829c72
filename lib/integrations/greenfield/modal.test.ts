import { expect, test } from "vitest";
import { answerBrowser } from "@/lib/integrations/greenfield/browser-requests";
import { MODAL_SCRIPT } from "@/lib/integrations/greenfield/modal-script";

const ask = (target: string, known: string | null = null) =>
  answerBrowser({ method: "GET", target, header: (name) => (name === "if-none-match" ? known : null) });

test.each(["/greenfield/modal/btcpay.js", "/greenfield//modal/btcpay.js?ver=2.4.1"])(
  "200: %s is the script, loadable by any shop, and at most 2 KB",
  (target) => {
    const answer = ask(target);
    expect(answer).toMatchObject({ status: 200, body: MODAL_SCRIPT });
    expect(Buffer.byteLength(MODAL_SCRIPT)).toBeLessThanOrEqual(2_048);
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
  for (const name of [...calls, ...events]) expect(MODAL_SCRIPT).toMatch(new RegExp(`\\b${name}\\b`));
});

test("a request of a server is left to the API", () => {
  expect(answerBrowser({ method: "POST", target: "/greenfield/modal/btcpay.js", header: () => null })).toBeNull();
  for (const path of ["api/v1/server/info", "modal/btcpay.js/x", "modal", ""])
    expect(ask(`/greenfield/${path}`)).toBeNull();
});
