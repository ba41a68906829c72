import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiKeys, paymentLinks } from "@/db/schema";
import { SCOPES } from "@/lib/domain/keys/key-rules";
import { signMessage } from "@/lib/domain/keys/signature";
import { seedAddress, seedCursor } from "@/testing/database/seed";
import { INSTALL_TIMEOUT_MS, type InstalledPythonSdk, installPythonSdk } from "@/testing/sdk/packages";
import { useTestApi } from "@/testing/web";

const run = promisify(execFile);
const api = useTestApi();
const db = () => api.pool.db;
let installed: InstalledPythonSdk | null;

beforeAll(async () => {
  installed = await installPythonSdk();
  await db()
    .update(apiKeys)
    .set({ scopes: [...SCOPES], mustSign: true })
    .where(eq(apiKeys.id, api.merchant.keyId));
  await seedCursor(db(), "ethereum", new Date());
  await seedAddress(db(), { merchantId: api.merchant.id }, new Date());
}, INSTALL_TIMEOUT_MS);
afterAll(() => installed?.remove());

const HEAD = `
import asyncio, json, sys, time
from decimal import Decimal
import httpx
from stablegate import *
base_url, api_key, secret, *rest = sys.argv[1:]
stablegate = Stablegate(base_url, api_key, secret)
def code_of(work):
    try:
        work()
    except StablegateError as error:
        return [type(error).__name__, error.code]
`;

/** Runs a program in the empty folder, and returns what it prints as JSON. */
async function runPython(body: string, ...args: string[]): Promise<unknown> {
  if (!installed) return null;
  await writeFile(path.join(installed.folder, "program.py"), HEAD + body);
  const { apiKey, secret } = api.merchant;
  const { stdout } = await run(installed.python, ["program.py", api.origin, apiKey, secret, ...args], {
    cwd: installed.folder,
  });
  return JSON.parse(stdout);
}

test("the package is a wheel and a source distribution of the same version as the product", async () => {
  if (!installed) return;
  const { version } = JSON.parse(await readFile("package.json", "utf8"));
  expect(installed.built.toSorted()).toEqual([
    `stablegate-${version}-py3-none-any.whl`,
    `stablegate-${version}.tar.gz`,
  ]);
  expect(await runPython("import stablegate as s; print(json.dumps(s.__version__))")).toBe(version);
});

const ORDERS = `
terms = dict(amount=Decimal("12.50"), currency="USDT", network="ethereum")
order = stablegate.create(mch_order_id="P-1", **terms)
again = stablegate.create(mch_order_id="P-1", **terms)
checkout = stablegate.create(mch_order_id="P-2", amount=5)
print(json.dumps({
    "amount": order["amount"],
    "same": [one["trade_id"] == order["trade_id"] for one in (again, stablegate.retrieve(mch_order_id="P-1"), stablegate.retrieve(order["trade_id"]))],
    "checkout": [checkout["currency"], checkout["address"], checkout["payment_url"].endswith(checkout["trade_id"])],
    "conflict": code_of(lambda: stablegate.create(mch_order_id="P-1", **{**terms, "amount": 13})),
    "pages": [one["mch_order_id"] for one in stablegate.list(limit=1)],
    "page": [len(stablegate.list(limit=1).orders), stablegate.list(status="paid").next_cursor],
    "waited": code_of(lambda: stablegate.wait_for_payment("%s" % order["trade_id"], max_wait=0)),
    "cancelled": stablegate.cancel(mch_order_id="P-1")["status"],
    "final": stablegate.wait_for_payment(mch_order_id="P-1")["status"],
    "refund": code_of(lambda: stablegate.refund(mch_order_id="P-1")),
    "methods": stablegate.list_methods(),
    "merchant": stablegate.call("merchant/detail", {})["merchant_id"],
    "unknown": code_of(lambda: stablegate.retrieve("unknown")),
    "unsigned": code_of(lambda: Stablegate(base_url, api_key).list_methods()),
}))
`;

test("orders are created, retrieved, listed, awaited and cancelled", async () => {
  const printed = await runPython(ORDERS);
  if (!installed) return;
  expect(printed).toEqual({
    amount: 12.5,
    same: [true, true, true],
    checkout: [null, null, true],
    conflict: ["ApiError", 10004],
    pages: ["P-2", "P-1"],
    page: [1, null],
    waited: ["WaitTimeout", "wait_timeout"],
    cancelled: "cancelled",
    final: "cancelled",
    refund: ["ApiError", 10004],
    methods: [{ network: "ethereum", currencies: ["USDT", "USDC"] }],
    merchant: api.merchant.id,
    unknown: ["ApiError", 10003],
    unsigned: ["ApiError", 10002],
  });
});

const LINKS = `
class Lossy(httpx.HTTPTransport):
    count = 0
    def handle_request(self, request):
        response = super().handle_request(request)
        self.count += 1
        if self.count == 1:
            raise httpx.ReadError("the connection was lost")
        return response
transport = Lossy()
link = Stablegate(base_url, api_key, secret, transport=transport).create_link(amount="5", subject="Spende für uns")
print(json.dumps([transport.count, stablegate.retrieve_link(link["link_id"]) == link, link["mch_link_id"][:4]]))
`;

test("one call creates one payment link although its response is lost", async () => {
  const printed = await runPython(LINKS);
  if (!installed) return;
  expect(printed).toEqual([2, true, "sdk-"]);
  expect(await db().select().from(paymentLinks)).toHaveLength(1);
});

const ASYNC = `
async def main():
    async with AsyncStablegate(base_url, api_key, secret) as client:
        order = await client.create(mch_order_id="P-3", amount="1", currency="USDT", network="ethereum")
        link = await client.create_link(mch_link_id="P-L")
        found = [one["mch_order_id"] async for one in await client.list(limit=1, status="pending")]
        cancelled = await client.cancel(order["trade_id"])
        final = await client.wait_for_payment(order["trade_id"])
        same = await client.retrieve_link(mch_link_id="P-L") == link
        print(json.dumps([found[0], cancelled["status"], final["status"], same, len(await client.list_methods())]))
asyncio.run(main())
`;

test("the asynchronous client has the same functions", async () => {
  const printed = await runPython(ASYNC);
  if (installed) expect(printed).toEqual(["P-3", "cancelled", "cancelled", true, 1]);
});

const CLOCK = `
now = time.time
time.time = lambda: now() - 3600
print(json.dumps(len(stablegate.list_methods())))
`;

test("a program whose clock is an hour slow is accepted, although its key must sign", async () => {
  const printed = await runPython(CLOCK);
  if (installed) expect(printed).toBe(1);
});

const CALLBACKS = `
cases = json.load(open(rest[0]))
def verdict(case):
    headers, now = httpx.Headers(case["headers"]), case["now"]
    code = code_of(lambda: verify_callback(case["body"].encode(), headers, case["secret"], now=now))
    return code is None or code[1] == "body_invalid"
wrong = [case["name"] for case in cases["standard"] if verdict(case) != case["valid"]]
event, signature, at = rest[1:]
def refuses(key):
    try:
        verify_callback(event, headers, key)
    except ValueError as error:
        return str(error)[:22]
headers = {"Webhook-Id": "evt_1", "Webhook-Timestamp": at, "Webhook-Signature": signature}
client = Stablegate(base_url, api_key, ["whsec_AAAA", secret])
print(json.dumps([len(cases["standard"]) > 20, wrong, client.verify_callback(event, headers)["data"]["trade_id"],
    code_of(lambda: client.verify_callback(event + " ", headers)),
    code_of(lambda: Stablegate(base_url, api_key).verify_callback(event, headers)), refuses("whpk_AAAA"), refuses("")]))
`;

test("callbacks are verified as in the shared cases", async () => {
  const event =
    '{"id":"evt_1","type":"payment.confirmed","timestamp":"2026-11-20T16:10:00.000Z","data":{"trade_id":"01k"}}';
  const now = new Date();
  const signature = signMessage([api.merchant.secret], "evt_1", now, event);
  const at = Math.floor(now.getTime() / 1_000).toString();
  const printed = await runPython(CALLBACKS, path.resolve("docs/callback-vectors.json"), event, signature, at);
  if (!installed) return;
  const refused = [
    ["CallbackError", "signature_invalid"],
    ["CallbackError", "secret_missing"],
  ];
  const malformed = "The secret must be whs";
  expect(printed).toEqual([true, [], "01k", ...refused, malformed, malformed]);
});

const RETRIES = `
def answers(*responses):
    left = list(responses)
    return httpx.MockTransport(lambda request: left.pop(0) if len(left) > 1 else left[0])
def client(*responses):
    return Stablegate(base_url, api_key, transport=answers(*responses), max_retries=1)
ok = httpx.Response(200, json={"code": 0, "message": "success", "data": {"methods": []}})
busy = httpx.Response(429, json={"code": 10005, "message": "slow down"}, headers={"retry-after": "1"})
late = httpx.Response(503, json={"code": 10006, "message": "closed"}, headers={"retry-after": "3600"})
print(json.dumps([
    client(busy, ok).list_methods(),
    client(httpx.Response(502, text="<h1>"), ok).list_methods(),
    code_of(client(late, ok).list_methods),
    code_of(client(busy).list_methods),
    code_of(client(httpx.Response(301, headers={"location": "/x"}), ok).list_methods),
    code_of(Stablegate("http://127.0.0.1:1", api_key, max_retries=0).list_methods),
]))
`;

test("429 and 5xx are repeated, and what a repetition cannot change is raised at once", async () => {
  const printed = await runPython(RETRIES);
  if (!installed) return;
  expect(printed).toEqual([
    [],
    [],
    ["ApiError", 10006],
    ["ApiError", 10005],
    ["ConnectionFailed", "invalid_response"],
    ["ConnectionFailed", "network"],
  ]);
});
