import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { createCallbackSender } from "@/lib/callbacks/callback-sender";
import { startReceiver } from "@/testing/callbacks/receiver";
import { senderContext } from "@/testing/callbacks/seed";
import { seedAddress, seedCursor } from "@/testing/database/seed";
import { seedPlugin } from "@/testing/integrations/seed";
import { npmWith, pythonWith } from "@/testing/published-client";
import { useTestApi } from "@/testing/web";

const run = promisify(execFile);
const api = useTestApi({ isSandbox: true, callbackAllowCidrs: ["127.0.0.0/8"] });
const db = () => api.pool.db;
const INSTALL_AND_RUN_MS = 400_000;
let store: Awaited<ReturnType<typeof seedPlugin>>;

beforeAll(async () => {
  const now = new Date();
  await seedCursor(db(), "bsc", now);
  await seedAddress(db(), { merchantId: api.merchant.id, network: "bsc" }, now);
  store = await seedPlugin(db(), { merchantId: api.merchant.id, integration: "greenfield" }, now);
});

type Body = Record<string, unknown>;

/** Runs a script of a published client. The script prints its results as one line of JSON at the end. */
async function runScript(command: string, flag: string, script: string, options: { cwd?: string; hook?: string } = {}) {
  const env = {
    ...process.env,
    BASE: `${api.origin}/greenfield`,
    TOKEN: store.key,
    STORE: store.publicId,
    HOOK: options.hook ?? "",
  };
  const { stdout } = await run(command, [flag, script], { env, cwd: options.cwd, timeout: 60_000 });
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Record<string, Body & Body[]>;
}

async function deliver(): Promise<void> {
  const now = new Date(Date.now() + 1_000);
  const sender = createCallbackSender(
    db(),
    senderContext(db(), () => now),
  );
  await sender.tick();
  await sender.drain();
}

const NODE_START = `
const { OpenAPI, ApiKeysService, HealthService, InvoicesService, ServerInfoService, StorePaymentMethodsService, StoresService,
  WebhooksService } = require("btcpay-greenfield-node-client");
const { BASE, TOKEN, STORE: storeId, HOOK } = process.env;
OpenAPI.BASE = BASE;
const print = (result) => console.log(JSON.stringify(result));
`;

const NODE_INVOICE = `${NODE_START}
(async () => {
  const health = await HealthService.healthGetHealth();
  OpenAPI.TOKEN = TOKEN;
  const of = (id) => ({ storeId, invoiceId: id });
  const webhook = await WebhooksService.postWebhooksService({ storeId, requestBody: { url: HOOK, secret: "secret-of-hook" } });
  const created = await InvoicesService.invoicesCreateInvoice({ storeId, requestBody: {
    amount: "10.50", currency: "USDT", metadata: { orderId: "N-1", itemDesc: "Two tickets" }, checkout: { paymentMethods: ["USDT-BSC"] } } });
  const { id } = created;
  const changed = await InvoicesService.invoicesUpdateInvoice({ ...of(id), requestBody: { metadata: { orderId: "N-2" } } });
  const methods = await InvoicesService.invoicesGetInvoicePaymentMethods(of(id));
  const marked = await InvoicesService.invoicesMarkInvoiceStatus({ ...of(id), requestBody: { status: "Invalid" } });
  await InvoicesService.invoicesArchiveInvoice(of(id));
  const without = await InvoicesService.invoicesGetInvoices({ storeId });
  const archived = await InvoicesService.invoicesGetInvoice(of(id));
  const unarchived = await InvoicesService.invoicesUnarchiveInvoice({ ...of(id), requestBody: {} });
  const listed = await InvoicesService.invoicesGetInvoices({ storeId });
  const refused = await InvoicesService.invoicesCreateInvoice({ storeId, requestBody: { amount: "1", currency: "BTC" } })
    .catch(({ status, body }) => ({ status, body }));
  print({ health, webhook, created, changed, methods: { list: methods }, marked, without, archived, unarchived, listed, refused,
    server: await ServerInfoService.serverInfoGetServerInfo(), key: await ApiKeysService.getApiKeysService(),
    stores: await StoresService.storesGetStores(), store: await StoresService.storesGetStore({ storeId }) });
})();`;

const NODE_DELIVERIES = `${NODE_START}
(async () => {
  OpenAPI.TOKEN = TOKEN;
  const [{ id: webhookId }] = await WebhooksService.webhokksGetWebhooks({ storeId });
  const hook = { storeId, webhookId };
  const list = await WebhooksService.getWebhooksService({ ...hook, count: "1" });
  const of = { ...hook, deliveryId: list[0].id };
  const one = await WebhooksService.getWebhooksService1(of);
  const request = await WebhooksService.getWebhooksService2(of);
  const redelivered = await WebhooksService.postWebhooksService1(of);
  await WebhooksService.putWebhooksService({ ...hook, requestBody: { url: HOOK + "2", enabled: true } });
  print({ list, one, request, redelivered: { id: redelivered }, changed: await WebhooksService.webhokksGetWebhook(hook) });
})();`;

test(
  "npm btcpay-greenfield-node-client 1.7.0: an invoice from creation to archive, and a delivery that is repeated",
  async () => {
    const cwd = await npmWith(["btcpay-greenfield-node-client@1.7.0"]);
    if (cwd === null) return;
    const shop = await startReceiver((response) => void response.writeHead(200).end());
    const hook = `${shop.origin}/hook`;
    const node = (script: string) => runScript(process.execPath, "-e", script, { cwd, hook });
    const first = await node(NODE_INVOICE);
    const id = first["created"]?.["id"];
    expect(first["health"]).toEqual({ synchronized: true });
    expect(first["webhook"]).toMatchObject({ url: hook, secret: "secret-of-hook", enabled: true });
    expect(first["created"]).toMatchObject({ amount: "10.50", currency: "USDT", status: "New", archived: false });
    expect(first["changed"]).toMatchObject({ id, metadata: { orderId: "N-2" } });
    expect(first["methods"]?.["list"]).toMatchObject([{ paymentMethod: "USDT-BSC", due: expect.any(String) }]);
    expect(first["marked"]).toMatchObject({ id, status: "Invalid", additionalStatus: "Marked" });
    expect(first["without"]).toEqual([]);
    expect(first["archived"]).toMatchObject({ id, archived: true });
    expect(first["unarchived"]).toMatchObject({ id, archived: false });
    expect(first["listed"]).toMatchObject([{ id }]);
    expect(first["refused"]).toEqual({ status: 422, body: [{ path: "currency", message: expect.any(String) }] });
    expect(first["server"]).toMatchObject({
      fullySynched: true,
      supportedPaymentMethods: expect.arrayContaining(["USDT-BSC"]),
    });
    expect(first["key"]).toMatchObject({ apiKey: store.key });
    expect(first["stores"]).toEqual([first["store"]]);
    expect(first["store"]).toMatchObject({ id: store.publicId, name: "Test shop" });

    await deliver();
    const second = await node(NODE_DELIVERIES);
    expect(second["list"]).toMatchObject([{ httpCode: 200, status: "HttpSuccess" }]);
    expect(second["one"]).toEqual(second["list"]?.[0]);
    expect(second["request"]).toEqual(JSON.parse(shop.received[0]?.body ?? ""));
    expect(second["request"]).toMatchObject({ invoiceId: id, type: "InvoiceInvalid", metadata: { orderId: "N-2" } });
    expect(second["changed"]).toMatchObject({ url: `${hook}2` });
    await deliver();
    const numbers = { deliveryId: second["redelivered"]?.["id"], originalDeliveryId: second["one"]?.["id"] };
    expect(shop.received[1]?.path).toBe("/hook");
    expect(JSON.parse(shop.received[1]?.body ?? "")).toMatchObject({ ...numbers, isRedelivery: true });
    await shop.close();
  },
  INSTALL_AND_RUN_MS,
);

const PYTHON_START = `
import json, os
BASE, TOKEN, STORE, HOOK = (os.environ[name] for name in ("BASE", "TOKEN", "STORE", "HOOK"))
`;

const PYTHON_SDK = `${PYTHON_START}
import btcpay
btcpay.api_key, btcpay.host_url, btcpay.store_id = TOKEN, BASE + "/", STORE
invoices = btcpay.Invoices
created = invoices.create_invoice(amount=3, currency="USDT", metadata={"orderId": "P-1", "itemDesc": "Zoë"}, checkout={})
id = created["id"]
invoices.activate_payment_method(id, "USDT-BSC")
methods = invoices.get_invoice_payment_methods(id)
changed = invoices.update_invoice(id, {"metadata": {"orderId": "P-2"}})
marked = invoices.mark_invoice_status(id, "invalid")
invoices.archive_invoice(id)
unarchived = invoices.unarchive_invoice(id)
print(json.dumps({"created": created, "methods": {"list": methods}, "changed": changed, "marked": marked, "unarchived": unarchived,
  "listed": invoices.get_invoices(), "shown": invoices.get_invoice(id)}))
`;

test(
  "PyPI btcpay-python-sdk 0.1.0: an invoice whose payment method the shop activates, from creation to archive",
  async () => {
    const python = await pythonWith(["btcpay-python-sdk==0.1.0"]);
    if (python === null) return;
    const result = await runScript(python, "-c", PYTHON_SDK);
    const id = result["created"]?.["id"];
    expect(result["created"]).toMatchObject({
      amount: "3",
      status: "New",
      metadata: { orderId: "P-1", itemDesc: "Zoë" },
    });
    expect(result["methods"]?.["list"]).toMatchObject([{ paymentMethod: "USDT-BSC", activated: true }]);
    expect(result["changed"]).toMatchObject({ id, metadata: { orderId: "P-2" } });
    expect(result["marked"]).toMatchObject({ id, status: "Invalid" });
    expect(result["unarchived"]).toMatchObject({ id, archived: false });
    expect(result["listed"]).toEqual(expect.arrayContaining([result["shown"]]));
  },
  INSTALL_AND_RUN_MS,
);

const PYTHON_REST = `${PYTHON_START}
from btcpay_rest_client import BTCPayServerAPIClient
client = BTCPayServerAPIClient.login_token(BASE, TOKEN)
client.set_store_id(STORE)
created = client.create_invoice({"amount": "4", "currency": "USDC", "metadata": {"orderId": "R-1"}, "checkout": {"speedPolicy": "HighSpeed"}})
webhook = client.webhooks_create(HOOK)
result = {"created": created, "webhook": webhook, "shown": client.get_invoice(created["id"]),
  "methods": {"list": client.get_invoice_payment_methods(created["id"])}, "listed": client.webhooks_get(),
  "found": client.webhooks_get_by_id(webhook["id"]), "health": client.health(), "server": client.server_info(), "stores": client.list_stores()}
client.webhooks_delete(webhook["id"])
print(json.dumps({**result, "left": client.webhooks_get()}))
`;

test(
  "PyPI btcpay-rest-client 0.0.10: an invoice, and a webhook from creation to deletion",
  async () => {
    const python = await pythonWith(["btcpay-rest-client==0.0.10"]);
    if (python === null) return;
    const before = await api.request(`/greenfield/api/v1/stores/${store.publicId}/webhooks`, {
      headers: { authorization: `token ${store.key}` },
    });
    const result = await runScript(python, "-c", PYTHON_REST, { hook: "https://shop.example.com/hook" });
    expect(result["shown"]).toEqual(result["created"]);
    expect(result["methods"]?.["list"]).toEqual([]);
    const { secret, ...webhook } = result["webhook"] ?? ({} as Body);
    expect(secret).toEqual(expect.any(String));
    expect(result["found"]).toEqual(webhook);
    expect(result["listed"]).toEqual(expect.arrayContaining([webhook]));
    expect(result["left"]).toEqual(before.body);
    expect(result["health"]).toEqual({ synchronized: true });
    expect(result["server"]).toMatchObject({ version: expect.any(String) });
    expect(result["stores"]).toMatchObject([{ id: store.publicId, name: "Test shop" }]);
  },
  INSTALL_AND_RUN_MS,
);

const PYGREENFIELD = `${PYTHON_START}
import pygreenfield as p
configuration = p.Configuration()
configuration.host = BASE
configuration.api_key["Authorization"] = TOKEN
configuration.api_key_prefix["Authorization"] = "token"
client = p.ApiClient(configuration)
invoices, webhooks = p.InvoicesApi(client), p.WebhooksApi(client)
created = invoices.invoices_create_invoice({"amount": "5", "currency": "USDT", "metadata": {"orderId": "G-1"},
  "checkout": {"paymentMethods": ["USDT-BSC"]}}, STORE)
methods = invoices.invoices_get_invoice_payment_methods(STORE, created.id)
webhook = webhooks.api_v1_stores_store_id_webhooks_post({"url": HOOK}, STORE)
# The client's own model of a webhook always discards the id.
webhook_id = json.loads(client.last_response.data)["id"]
changed = invoices.invoices_update_invoice({"metadata": {"orderId": "G-2"}}, STORE, created.id)
invoices.invoices_archive_invoice(STORE, created.id)
result = {"created": created, "methods": methods, "webhook": webhook, "changed": changed,
  "unarchived": invoices.invoices_unarchive_invoice(STORE, created.id), "listed": invoices.invoices_get_invoices(STORE),
  "deliveries": webhooks.api_v1_stores_store_id_webhooks_webhook_id_deliveries_get(STORE, webhook_id, count="5"),
  "health": p.HealthApi(client).health_get_health(), "server": p.ServerInfoApi(client).server_info_get_server_info(),
  "store": p.StoresApi(client).stores_get_store(STORE), "key": p.APIKeysApi(client).api_v1_api_keys_current_get()}
print(json.dumps(client.sanitize_for_serialization(result)))
`;

test(
  "PyPI pygreenfield 1.0.0: every response fits the types that the client was generated with",
  async () => {
    const python = await pythonWith(["pygreenfield==1.0.0"]);
    if (python === null) return;
    const result = await runScript(python, "-c", PYGREENFIELD, { hook: "https://shop.example.com/hook" });
    const id = result["created"]?.["id"];
    expect(result["created"]).toMatchObject({ amount: "5", status: "New", additionalStatus: "None" });
    expect(result["methods"]).toMatchObject([{ paymentMethod: "USDT-BSC", rate: "1", payments: [] }]);
    expect(result["changed"]).toMatchObject({ id, metadata: { orderId: "G-2" } });
    expect(result["unarchived"]).toMatchObject({ id, archived: false });
    expect(result["listed"]).toEqual(expect.arrayContaining([expect.objectContaining({ id })]));
    expect(result["deliveries"]).toEqual([]);
    expect(result["webhook"]).toMatchObject({ url: "https://shop.example.com/hook" });
    expect(result["health"]).toEqual({ synchronized: true });
    expect(result["server"]).toMatchObject({ fullySynched: true, syncStatus: [] });
    expect(result["store"]).toMatchObject({ id: store.publicId, name: "Test shop", networkFeeMode: "Never" });
    expect(result["key"]).toMatchObject({ apiKey: store.key, permissions: expect.any(Array) });
  },
  INSTALL_AND_RUN_MS,
);
