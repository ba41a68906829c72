import { SCOPES } from "@/lib/domain/keys/key-rules";
import type { Need } from "@/lib/domain/keys/role";
import { paymentMark } from "@/lib/domain/refunds/payment";
import { PASSWORD, type SeededShop } from "@/testing/office/shop";

/** The requirements of a page, a route or a server action of the back office, and the shop ids that it receives. */
export interface EntryPoint {
  need: Need;
  /** Returns the parameters of the page's path. The parameters of a different shop must return 404. */
  params?(shop: SeededShop): Record<string, string>;
  /** Returns the form of a server action: it must be rejected with a different shop's ids. */
  form?(shop: SeededShop): Record<string, string | string[]>;
  /** True if the form contains no id that belongs to a shop. */
  isFree?: true;
  /** True if the entry point does not depend on the shop that the window shows. */
  isOfNoShop?: true;
  /** True if the entry point is for operators of the installation, independent of their role in a shop. */
  isOfOperator?: true;
  /** True if the entry point changes nothing, only changes the shop that a window shows, or has nothing left to change. */
  isUnrecorded?: true;
  /** True if the entry point cannot run in this kind of test, or has its own test. */
  isElsewhere?: true;
}

const look = { need: "look" } as const;
const work = (form: NonNullable<EntryPoint["form"]>, more: Partial<EntryPoint> = {}): EntryPoint => ({
  need: "work",
  form,
  ...more,
});
const own = (form: NonNullable<EntryPoint["form"]>, more: Partial<EntryPoint> = {}): EntryPoint => ({
  need: "own",
  form,
  ...more,
});
const FREE = { isFree: true } as const;
const elsewhere: EntryPoint = { need: "look", form: () => ({}), isFree: true, isElsewhere: true };
const ofOperator = (form: NonNullable<EntryPoint["form"]>): EntryPoint => ({ ...elsewhere, form, isOfOperator: true });
const rules = { scopes: [...SCOPES], callbackFormat: "standard" };
const XPUB =
  "xpub6DCoCpSuQZB33fTd4N4P2SqWZdpSC8UUdW6ASdbyGs5WRSfbbyqCWXWe4zD2g9ngqy2ri77ygfHerZhorocu6uijBhL9z9T6JhNjfVohQx5";
const fresh = `0x${"ab12".repeat(10)}`;

/** The recorded payments of a refund that has none. */
const NO_PAYMENT = paymentMark({ walletAskedAt: null, walletStartedAt: null, walletSentAt: null, exportedAt: null });

/** All entry points. A test fails if one of them does not exist on disk, or if one on disk is missing from this list. */
export const ENTRY_POINTS: Record<string, EntryPoint> = {
  "page.tsx": look,
  "installation/page.tsx": { need: "look", isOfOperator: true },
  "installation/actions.ts#close": ofOperator(() => ({ network: "ethereum", reason: "No node answers" })),
  "installation/actions.ts#reopen": ofOperator(() => ({ network: "ethereum" })),
  "first-steps/actions.ts#settle": work(() => ({ step: "backup" }), { isFree: true, isUnrecorded: true }),
  "first-steps/actions.ts#saveContact": work(() => ({ supportUrl: "help@shop.example.com" }), FREE),
  "callbacks/page.tsx": look,
  "callbacks/live/route.ts#GET": look,
  "callbacks/[callbackId]/page.tsx": { need: "look", params: ({ callback }) => ({ callbackId: callback }) },
  "deposits/page.tsx": look,
  "deposits/export/route.ts#GET": look,
  "deposits/[depositId]/page.tsx": { need: "look", params: ({ deposit }) => ({ depositId: deposit }) },
  "find/route.ts#GET": look,
  "orders/page.tsx": look,
  "links/page.tsx": look,
  "links/[linkId]/page.tsx": { need: "look", params: ({ links }) => ({ linkId: links.open }) },
  "links/actions.ts#createPaymentLink": work(
    () => ({ kind: "fixed", amount: "5", unit: "USDT", network: "ethereum", madeUp: "by-hand", expires: "604800" }),
    FREE,
  ),
  "links/actions.ts#closePaymentLink": work(({ links }) => ({ linkId: links.closing })),
  "orders/[tradeId]/page.tsx": { need: "look", params: ({ orders }) => ({ tradeId: orders.open }) },
  "orders/export/route.ts#GET": look,
  "orders/live/route.ts#GET": look,
  "refunds/page.tsx": look,
  "refunds/export/route.ts#GET": look,
  "refunds/[refundId]/page.tsx": { need: "look", params: ({ refunds }) => ({ refundId: refunds.requested }) },
  "refunds/actions.ts#requestRefund": work(({ transfers }) => ({
    transferId: transfers.refundable,
    amount: "1",
    days: "30",
  })),
  "refunds/actions.ts#approve": work(({ refunds }) => ({ refundId: refunds.claimed })),
  "refunds/actions.ts#reopen": work(({ refunds }) => ({ refundId: refunds.reopened, reason: "an exchange" })),
  "refunds/actions.ts#cancel": work(({ refunds }) => ({ refundId: refunds.requested, reason: "" })),
  "refunds/actions.ts#beginPayment": work(({ refunds }) => ({ refundId: refunds.approved, mark: NO_PAYMENT }), {
    isUnrecorded: true,
  }),
  "refunds/actions.ts#dropPayment": work(({ refunds }) => ({ refundId: refunds.approved, askedAt: "2026-01-01" }), {
    isUnrecorded: true,
  }),
  "refunds/actions.ts#notePayment": work(({ refunds }) => ({
    refundId: refunds.approved,
    txId: `0x${"ab".repeat(32)}`,
  })),
  "refunds/actions.ts#writeBatchFile": work(({ refunds }) => ({
    network: "ethereum",
    kind: "csv",
    refund: `${refunds.batched} ${NO_PAYMENT}`,
  })),
  "refunds/batch/page.tsx": look,
  "refunds/actions.ts#saveSettings": work(() => ({ claimCheck: "email", networks: "ethereum" }), FREE),
  "settings/refunds/page.tsx": look,
  "reports/page.tsx": look,
  "reports/export/route.ts#GET": look,
  "reports/balances/route.ts#GET": look,
  "reports/actions.ts#readChainBalances": { need: "look", form: () => ({}), isFree: true, isUnrecorded: true },
  "transfers/page.tsx": look,
  "transfers/live/route.ts#GET": look,
  "transfers/[transferId]/page.tsx": { need: "look", params: ({ transfers }) => ({ transferId: transfers.lost }) },
  "settings/account/page.tsx": look,
  "settings/audit/page.tsx": { need: "work" },
  "settings/audit/export/route.ts#GET": { need: "work" },
  "settings/addresses/page.tsx": look,
  "settings/addresses/receivers/[sourceId]/page.tsx": {
    need: "look",
    params: ({ treasury }) => ({ sourceId: treasury }),
  },
  "settings/addresses/sweeping/page.tsx": look,
  "settings/addresses/sweeping/file/route.ts#GET": look,
  "settings/api-keys/page.tsx": look,
  "settings/checkout/page.tsx": look,
  "settings/checkout/preview/route.tsx#GET": look,
  "settings/notifications/page.tsx": look,
  "settings/orders/page.tsx": look,
  "settings/orders/actions.ts#saveOrderTerms": work(() => ({ expiresIn: "45", lateWindow: "6" }), FREE),
  "settings/plugins/page.tsx": look,
  "settings/plugins/connect/page.tsx": look,
  "settings/prices/page.tsx": look,
  "settings/security/page.tsx": look,
  "settings/team/page.tsx": look,

  "callbacks/actions.ts#resendFailed": work(() => ({ filter: "?type=payment.confirmed" }), FREE),
  "orders/[tradeId]/actions.ts#resend": work(({ callback }) => ({ callbackId: callback })),
  "orders/[tradeId]/actions.ts#markPaid": work(({ orders }) => ({ orderId: orders.open, reason: "paid in cash" })),
  "orders/[tradeId]/actions.ts#cancel": work(({ orders }) => ({ orderId: orders.cancelled })),
  "transfers/actions.ts#assign": work(({ orders, transfers }) => ({
    transferId: transfers.unmatched,
    orderId: orders.short,
  })),
  "transfers/actions.ts#foresee": work(
    ({ orders, transfers }) => ({ transferId: transfers.unmatched, orderId: orders.short }),
    { isElsewhere: true },
  ),
  "transfers/actions.ts#unlink": work(({ orders, transfers }) => ({
    transferId: transfers.part,
    orderId: orders.partly,
    reason: "paid for another order",
  })),
  "transfers/actions.ts#refund": work(({ transfers }) => ({
    transferId: transfers.lost,
    txId: `0x${"ab".repeat(32)}`,
  })),
  "transfers/actions.ts#acknowledge": work(({ transfers }) => ({ transferId: transfers.lost })),

  "shop-actions.ts#switchShop": {
    need: "look",
    form: ({ merchantId }) => ({ to: merchantId }),
    isOfNoShop: true,
    isUnrecorded: true,
  },
  "settings/account/actions.ts#changePassword": {
    need: "look",
    form: () => ({ newPassword: PASSWORD }),
    isFree: true,
    isElsewhere: true,
  },
  "settings/addresses/actions.ts#addAddress": work(
    () => ({ network: "ethereum", address: fresh, again: fresh, label: "", kind: "shared" }),
    FREE,
  ),
  "settings/addresses/actions.ts#addAddressList": work(
    () => ({ network: "ethereum", text: `0x${"cd34".repeat(10)}`, label: "", kind: "dedicated" }),
    FREE,
  ),
  "settings/addresses/actions.ts#addPublicKey": work(
    () => ({ family: "evm", networks: "ethereum", xpub: XPUB, label: "", max: "500", isCompared: "true" }),
    FREE,
  ),
  "settings/addresses/actions.ts#limitPublicKey": work(({ publicKey }) => ({ id: publicKey, max: "2" })),
  "settings/addresses/actions.ts#removePublicKey": work(({ publicKey }) => ({ id: publicKey })),
  "settings/addresses/receivers/actions.ts#addReceiverTreasury": work(
    () => ({ address: fresh, again: fresh, label: "", max: "500", knowsUnaudited: "true" }),
    FREE,
  ),
  "settings/addresses/receivers/actions.ts#tryOnNetwork": work(({ treasury }) => ({
    id: treasury,
    network: "ethereum",
  })),
  "settings/addresses/sweeping/actions.ts#readSweepable": {
    need: "look",
    form: () => ({}),
    isFree: true,
    isUnrecorded: true,
  },
  "settings/addresses/actions.ts#changeConfirmations": work(
    () => ({ network: "ethereum", confirmations: "100" }),
    FREE,
  ),
  "settings/addresses/actions.ts#labelAddress": work(({ address }) => ({ id: address.id, label: "till" })),
  "settings/addresses/actions.ts#pauseAddress": work(({ address }) => ({ id: address.id })),
  "settings/addresses/actions.ts#resumeAddress": work(({ address }) => ({ id: address.id })),
  "settings/addresses/actions.ts#removeAddress": work(({ spare }) => ({ id: spare.id })),
  "settings/api-keys/actions.ts#generateKey": work(() => ({ name: "till", ...rules }), FREE),
  "settings/api-keys/actions.ts#renameKey": work(({ keys }) => ({ id: keys.kept, name: "counter" })),
  "settings/api-keys/actions.ts#changeKey": work(({ keys }) => ({ id: keys.kept, ...rules })),
  "settings/api-keys/actions.ts#allowPluginFormat": work(({ keys }) => ({ id: keys.kept })),
  "settings/api-keys/actions.ts#dismissPluginRequest": work(({ keys }) => ({ id: keys.rotated })),
  "settings/api-keys/actions.ts#makeDefault": work(({ keys }) => ({ id: keys.kept })),
  "settings/api-keys/actions.ts#chooseKeyEvents": work(({ keys }) => ({ id: keys.kept, types: ["payment.expired"] })),
  "settings/api-keys/actions.ts#rotateKey": work(({ keys }) => ({ id: keys.rotated, overlapHours: "1" })),
  "settings/api-keys/actions.ts#revokeKey": work(({ keys }) => ({
    id: keys.revoked,
    expectedName: "revoked",
    typedName: "revoked",
  })),
  "settings/api-keys/actions.ts#testCallbacks": work(({ keys }) => ({ id: keys.kept, url: "https://127.0.0.1/paid" }), {
    isElsewhere: true,
  }),
  "settings/plugins/actions.ts#switchOn": work(() => ({ integration: "epay", fiat: "USD" }), FREE),
  "settings/plugins/actions.ts#changeRules": work(
    () => ({ integration: "epay", fiat: "USD", expiration: "unix", takesKeyInUrl: "on" }),
    FREE,
  ),
  "settings/plugins/actions.ts#revokeKey": work(({ pluginKey }) => ({ integration: "epay", id: pluginKey })),
  "settings/plugins/actions.ts#issueKey": work(() => ({ integration: "epay", overlapHours: "1" }), FREE),
  "settings/plugins/actions.ts#allowConnection": work(
    () => ({ query: "permissions=btcpay.store.canviewinvoices&redirect=https%3A%2F%2Fshop.example%2F" }),
    FREE,
  ),
  "settings/plugins/actions.ts#switchOff": work(() => ({ integration: "epay" }), FREE),
  "settings/checkout/actions.ts#saveCheckout": work(
    () => ({ shownName: "Tea", accent: "", logoUrl: "", supportUrl: "", frameParents: "" }),
    FREE,
  ),
  "settings/notifications/actions.ts#addChannel": {
    need: "look",
    form: () => ({ way: "webhook", url: "https://127.0.0.1/chat" }),
    isElsewhere: true,
  },
  "settings/notifications/actions.ts#confirmChannel": {
    need: "look",
    form: ({ channel }) => ({ id: channel, code: "123456" }),
  },
  "settings/notifications/actions.ts#resendCode": {
    need: "look",
    form: ({ channel }) => ({ id: channel }),
    isElsewhere: true,
  },
  "settings/notifications/actions.ts#testChannel": {
    need: "look",
    form: ({ channel }) => ({ id: channel }),
    isElsewhere: true,
  },
  "settings/notifications/actions.ts#chooseNotifications": {
    need: "look",
    form: () => ({ timeZone: "UTC", reportHour: "8" }),
    isFree: true,
  },
  "settings/notifications/actions.ts#removeChannel": { need: "look", form: ({ channel }) => ({ id: channel }) },
  "settings/security/actions.ts#endOne": { need: "look", form: ({ session }) => ({ id: session }) },
  "settings/security/actions.ts#endOthers": { need: "look", form: () => ({}), isFree: true, isUnrecorded: true },
  "settings/security/actions.ts#startTotp": { need: "look", form: () => ({}), isFree: true, isUnrecorded: true },
  "settings/security/actions.ts#enableTotp": elsewhere,
  "settings/security/actions.ts#disableTotp": elsewhere,
  "settings/security/actions.ts#makeRecoveryCodes": elsewhere,
  "settings/security/actions.ts#startPasskey": { need: "look", form: () => ({}), isFree: true, isUnrecorded: true },
  "settings/security/actions.ts#addPasskey": elsewhere,
  "settings/security/actions.ts#dropPasskey": elsewhere,
  "settings/security/actions.ts#askOwnPasskey": { need: "look", form: () => ({}), isFree: true, isUnrecorded: true },
  "settings/team/actions.ts#askFactors": own(() => ({ asks: "no" }), FREE),
  "settings/team/actions.ts#invitePerson": own(() => ({ email: "new@example.com", role: "admin" }), FREE),
  "settings/team/actions.ts#revokeInvitation": own(({ invitation }) => ({ id: invitation })),
  "settings/team/actions.ts#changeRole": own(({ members }) => ({ userId: members.viewer.id, role: "admin" })),
  "settings/team/actions.ts#removeMember": own(({ members }) => ({ userId: members.viewer.id })),
  "settings/team/actions.ts#leaveShop": { need: "look", form: () => ({}), isFree: true, isElsewhere: true },
  "settings/prices/actions.ts#setPrice": work(() => ({ fiat: "EUR", mode: "market", markUp: "", fixedRate: "" }), FREE),
  "settings/prices/actions.ts#setDecimals": work(() => ({ decimals: "2" }), FREE),
};
