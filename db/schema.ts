import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  bigserial,
  bit,
  boolean,
  check,
  customType,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  numeric,
  pgSequence,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type { AddressKind, AddressSource, SourceKind } from "@/lib/domain/addresses/load";
import type { TrialTransfer } from "@/lib/domain/addresses/trial";
import type { XpubFamily } from "@/lib/domain/addresses/xpub";
import type { AuditAction } from "@/lib/domain/audit/audit";
import type { CallbackType, StoredCallbackType } from "@/lib/domain/callbacks/callback";
import type { UnsignedReason } from "@/lib/domain/callbacks/unsigned";
import type { Echo, IntegrationId, OrderIntegration } from "@/lib/domain/integration-id";
import type { SettingValues } from "@/lib/domain/integrations/settings";
import {
  type CallbackFormat,
  type KeyFormat,
  type OptInType,
  type Scope,
  USUAL_SCOPES,
} from "@/lib/domain/keys/key-rules";
import type { Role } from "@/lib/domain/keys/role";
import type { COIN_NAME, Currency, Family } from "@/lib/domain/networks";
import type { EndpointHealth } from "@/lib/domain/networks/health";
import type { WatchState } from "@/lib/domain/networks/watch-state";
import type { AccountEmailKind } from "@/lib/domain/notifications/account-email";
import type { NotificationKind, Way } from "@/lib/domain/notifications/notification";
import type { AlertCondition, MachineReport, Outcome } from "@/lib/domain/operating/conditions";
import type { CheckoutTerms, OrderException, OrderPrice, OrderStatus } from "@/lib/domain/orders/order";
import type { Problem } from "@/lib/domain/problems/problem";
import { readRecordedProblem, recordProblem } from "@/lib/domain/problems/recorded";
import type { PriceSetting } from "@/lib/domain/rates/setting";
import type { FreezeState } from "@/lib/domain/refunds/freeze";
import type { ClaimCheck, RefundPrice, RefundStatus, RefundTransferProblem } from "@/lib/domain/refunds/refund";
import type { BalanceOutcome, ReportedBalance } from "@/lib/domain/transfers/balance";
import type { FailingTask } from "@/lib/domain/transfers/failing-task";
import type { LookupAnswer } from "@/lib/domain/transfers/lookup";
import type { RefundObservation, RefundState } from "@/lib/domain/transfers/refund";
import type { Contradiction, TransferStatus, UnmatchedReason } from "@/lib/domain/transfers/transfer";
import type { ChallengePurpose } from "@/lib/domain/users/challenge";

/** The column type of an amount in base units of a token. It can store any uint256. */
const units = (name: string) => numeric(name, { precision: 78, scale: 0, mode: "bigint" });
const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const height = (name: string) => bigint(name, { mode: "number" });
/** The column type of a problem, stored as JSON of its code and parameters. Sentences that earlier releases stored can also be read. */
const recordedProblem = customType<{ data: Problem; driverData: string }>({
  dataType: () => "text",
  toDriver: recordProblem,
  fromDriver: readRecordedProblem,
});

export const merchants = pgTable(
  "merchants",
  {
    id: text("id").primaryKey(),
    name: text("name").notNull(),
    expiresInSeconds: integer("expires_in_seconds").notNull().default(1_800),
    lateWindowSeconds: integer("late_window_seconds").notNull().default(10_800),
    /** The number of decimals of an amount that is converted from a fiat price. */
    priceDecimals: integer("price_decimals").notNull().default(2),
    /** The minimum and maximum amount of an order, in millionths of its currency; null: no bound. */
    minMicro: bigint("least_micro", { mode: "bigint" }),
    maxMicro: bigint("most_micro", { mode: "bigint" }),
    /** The tokens that are not offered, each as "network CURRENCY". */
    offMethods: text("off_methods").array().notNull().default([]),
    /**
     * The tolerance for underpayments at a dedicated address, within which the order counts as paid in full: in
     * hundredths of a percent and in millionths of the currency. If both are set, the smaller one applies. Null: that
     * bound does not apply. Both null: no tolerance.
     */
    toleranceBasisPoints: integer("tolerance_basis_points"),
    toleranceMicro: bigint("tolerance_micro", { mode: "bigint" }),
    /**
     * True if a transfer of too little to a shared address is linked to the order that alone can have been meant, and the rest is requested
     * by another quote.
     */
    linksShortPayments: boolean("links_short_payments").notNull().default(false),
    /**
     * The time for which an amount at a shared address stays reserved after a payment. It stays reserved longer if the order expires
     * later.
     */
    settledHoldSeconds: integer("settled_hold_seconds").notNull().default(3_600),
    /** The age in days at which orders without any transfer are deleted; null: the installation's setting applies. */
    unpaidDays: integer("unpaid_days"),
    /** True if users need a second factor to work in the shop. */
    asksSecondFactor: boolean("asks_second_factor").notNull().default(false),
    /** The first steps that users marked as done or skipped. */
    settledSteps: text("settled_steps").array().notNull().default([]),
    createdAt: at("created_at").notNull(),
  },
  (t) => [
    check("merchants_expires_in_check", sql`${t.expiresInSeconds} between 300 and 86400`),
    check("merchants_late_window_check", sql`${t.lateWindowSeconds} between 0 and 2592000`),
    check("merchants_price_decimals_check", sql`${t.priceDecimals} between 0 and 6`),
    check("merchants_amounts_check", sql`${t.minMicro} > 0 and ${t.maxMicro} >= coalesce(${t.minMicro}, 1)`),
    check("merchants_tolerance_check", sql`${t.toleranceBasisPoints} between 1 and 1000 and ${t.toleranceMicro} > 0`),
    check("merchants_settled_hold_check", sql`${t.settledHoldSeconds} between 600 and 2592000`),
    check("merchants_unpaid_days_check", sql`${t.unpaidDays} between 90 and 3650`),
  ],
);

/** The users of the installation. Their permissions in each shop are in `memberships`. */
export const users = pgTable(
  "users",
  {
    id: text("id").primaryKey(),
    /** The email address in lower case. */
    email: text("email").notNull(),
    /** The time at which the user proved access to the mailbox; null: another person may have registered the address. */
    emailVerifiedAt: at("email_verified_at"),
    passwordHash: text("password_hash").notNull(),
    name: text("name"),
    /** True if the user may list and create shops. This gives no access to the orders of a shop. */
    isOperator: boolean("is_operator").notNull().default(false),
    /** The secret of the one-time codes (RFC 6238), encrypted; null: none. */
    totpEncrypted: text("totp_sealed"),
    /** The time from which codes are required; null: the secret was shown, but no correct code was entered yet. */
    totpSince: at("totp_since"),
    /** The 30-second step of the last code that was used. Codes of this step and of earlier ones are rejected. */
    totpStep: bigint("totp_step", { mode: "number" }),
    /** The language of the back office at the last sign-in. */
    language: text("language").notNull().default("en"),
    createdAt: at("created_at").notNull(),
  },
  (t) => [uniqueIndex("users_email_key").on(t.email), check("users_email_check", sql`${t.email} = lower(${t.email})`)],
);

export const memberships = pgTable(
  "memberships",
  {
    merchantId: text("merchant_id")
      .notNull()
      .references(() => merchants.id),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    role: text("role").$type<Role>().notNull(),
    since: at("since").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.userId] }),
    index("memberships_user_id_idx").on(t.userId),
    check("memberships_role_check", sql`${t.role} in ('owner', 'admin', 'viewer')`),
  ],
);

/** The browser sessions of signed-in users. A cookie is valid only if its row is valid at the time of the request. */
export const sessions = pgTable(
  "sessions",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    /** The shop that was selected last. If the user is no longer a member of it, another shop, or none, is used. */
    merchantId: text("merchant_id"),
    createdAt: at("created_at").notNull(),
    /** The time of the last request, written at most once a minute. */
    lastSeenAt: at("last_seen_at").notNull(),
    /** The part of the visitor's IP address that rarely changes: all of an IPv4 address, the /64 network of an IPv6 address. */
    network: text("network").notNull(),
    /** The browser and operating system, such as "Firefox on Windows". */
    browser: text("browser").notNull(),
    endedAt: at("ended_at"),
    /** The time at which the password was last entered. */
    strongAt: at("strong_at").notNull(),
  },
  (t) => [index("sessions_user_id_idx").on(t.userId, t.createdAt), index("sessions_created_at_idx").on(t.createdAt)],
);

/** The passkeys of users (WebAuthn). */
export const passkeys = pgTable(
  "passkeys",
  {
    /** The credential's id, base64url; globally unique. */
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    name: text("name").notNull(),
    /** The public key, COSE, base64url. */
    publicKey: text("public_key").notNull(),
    /** The signature counter that the device reported; always 0 for most devices. */
    counter: bigint("counter", { mode: "number" }).notNull(),
    transports: text("transports").array().notNull(),
    createdAt: at("created_at").notNull(),
    lastUsedAt: at("last_used_at"),
  },
  (t) => [index("passkeys_user_id_idx").on(t.userId)],
);

/** Recovery codes for users who lost their second factor. A used code is deleted. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    /** The SHA-256 of a code, hex. A code has 80 random bits. */
    codeHash: text("code_hash").notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.codeHash] })],
);

/** The pending challenges of passkeys and of the first step of a sign-in. A challenge is deleted when it is answered. */
export const challenges = pgTable(
  "challenges",
  {
    /** A random id, base64url. */
    id: text("id").primaryKey(),
    purpose: text("purpose").$type<ChallengePurpose>().notNull(),
    /** The user who must answer the challenge; null: any user may. */
    userId: text("user_id").references(() => users.id),
    createdAt: at("created_at").notNull(),
  },
  (t) => [
    index("challenges_created_at_idx").on(t.createdAt),
    index("challenges_user_id_idx").on(t.userId),
    check(
      "challenges_purpose_check",
      sql`${t.purpose} in ('second_step', 'passkey_sign_in', 'passkey_add', 'passkey_confirm', 'password_reset')`,
    ),
  ],
);

/** The invitations to a shop, each for one user. Accepting one requires the link and the invited email address. */
export const invitations = pgTable(
  "invitations",
  {
    id: text("id").primaryKey(),
    merchantId: text("merchant_id")
      .notNull()
      .references(() => merchants.id),
    /** The SHA-256 of the link's token, hex. */
    tokenHash: text("token_hash").notNull(),
    /** The email address in lower case. */
    email: text("email").notNull(),
    role: text("role").$type<Role>().notNull(),
    invitedBy: text("invited_by")
      .notNull()
      .references(() => users.id),
    createdAt: at("created_at").notNull(),
    expiresAt: at("expires_at").notNull(),
    usedAt: at("used_at"),
    revokedAt: at("revoked_at"),
  },
  (t) => [
    uniqueIndex("invitations_token_hash_key").on(t.tokenHash),
    index("invitations_merchant_id_idx").on(t.merchantId, t.createdAt),
    index("invitations_expires_at_idx").on(t.expiresAt),
    check("invitations_role_check", sql`${t.role} in ('owner', 'admin', 'viewer')`),
  ],
);

export const apiKeys = pgTable(
  "api_keys",
  {
    id: text("id").primaryKey(),
    merchantId: text("merchant_id")
      .notNull()
      .references(() => merchants.id),
    name: text("name").notNull(),
    /** The first characters of the key, for display. */
    prefix: text("prefix").notNull(),
    /** The HMAC of the key's SHA-256 under APP_SECRET, base64url. It authenticates requests. */
    lookupMac: text("lookup_mac"),
    /** The key's SHA-256 in hex, which signs plugin v1 callbacks; AES-256-GCM under APP_SECRET, bound to the row. */
    hashCipher: text("hash_cipher"),
    /** The unencrypted SHA-256 of the key in hex: the format of earlier versions, stored only while one of them is running (ADR 26). */
    keyHash: text("key_hash"),
    /** The callback secret, AES-256-GCM under APP_SECRET with the row's id as additional data. */
    secretCipher: text("secret_cipher").notNull(),
    mustSign: boolean("must_sign").notNull().default(false),
    /** The event types that the merchant receives besides confirmed payments. */
    optIns: text("opt_ins").array().$type<OptInType[]>().notNull().default([]),
    createdAt: at("created_at").notNull(),
    lastUsedAt: at("last_used_at"),
    /** The end of the overlap after a rotation, or the time of the revocation. The key is invalid from then on. */
    endsAt: at("ends_at"),
    rotatedToId: text("rotated_to_id").references((): AnyPgColumn => apiKeys.id),
    /** The first key of a chain of rotations; null: this key is the first. */
    firstId: text("first_id").references((): AnyPgColumn => apiKeys.id),
    /** The permissions of the key. */
    scopes: text("scopes")
      .array()
      .$type<Scope[]>()
      .notNull()
      .default([...USUAL_SCOPES]),
    /** The IP ranges from which the key is accepted; none: any address. */
    cidrs: text("cidrs").array().notNull().default([]),
    callbackFormat: text("callback_format").$type<KeyFormat>().notNull().default("standard"),
    /** True if the merchant allowed a plugin to set the callback format of this key. */
    isForPlugin: boolean("is_for_plugin").notNull().default(false),
    /** True if agents may use the key, through the tools at /mcp. */
    isForAgents: boolean("is_for_agents").notNull().default(false),
    /** The time when a plugin asked for its callback format without that permission; null: no request is open. */
    pluginRequestedAt: at("plugin_requested_at"),
    /**
     * True if the key is used for orders that a user created and for orders whose own key is invalid. A merchant has at most one such key.
     */
    isDefault: boolean("is_default").notNull().default(false),
  },
  (t) => [
    uniqueIndex("api_keys_lookup_mac_key").on(t.lookupMac),
    uniqueIndex("api_keys_key_hash_key").on(t.keyHash),
    check(
      "api_keys_hash_check",
      sql`${t.keyHash} is not null or (${t.lookupMac} is not null and ${t.hashCipher} is not null)`,
    ),
    uniqueIndex("api_keys_default_key").on(t.merchantId).where(sql`${t.isDefault}`),
    index("api_keys_merchant_id_idx").on(t.merchantId, t.createdAt),
    index("api_keys_opt_ins_idx").on(t.merchantId).where(sql`${t.optIns} <> '{}'`),
  ],
);

/**
 * The Ed25519 keys with which the installation signs callbacks in addition to the merchants' secrets. One key signs,
 * the next one is published before it signs, and retired ones stay published until `ends_at`.
 */
export const signingKeys = pgTable(
  "signing_keys",
  {
    /** The `kid` of its JWK. */
    id: text("id").primaryKey(),
    state: text("state").$type<"current" | "next" | "retired">().notNull(),
    /** The 32 bytes of the public key, base64url. */
    publicKey: text("public_key").notNull(),
    /** The 32 bytes of the private key, base64url, AES-256-GCM under APP_SECRET with the row's id as additional data. */
    privateCipher: text("private_cipher").notNull(),
    createdAt: at("created_at").notNull(),
    endsAt: at("ends_at"),
  },
  (t) => [
    uniqueIndex("signing_keys_state_key").on(t.state).where(sql`${t.state} <> 'retired'`),
    check("signing_keys_state_check", sql`${t.state} in ('current', 'next', 'retired')`),
    check("signing_keys_ends_at_check", sql`(${t.state} = 'retired') = (${t.endsAt} is not null)`),
  ],
);

/**
 * The test value of APP_SECRET, at most one row. Every process verifies it when it starts, and before it concludes that
 * an address was changed in the database.
 */
export const appSecretCheck = pgTable(
  "app_secret_check",
  {
    id: integer("id").primaryKey().default(1),
    /** A MAC under APP_SECRET over a nonexistent address, computed like an address MAC. */
    mac: text("mac").notNull(),
    /** The same MAC under the next secret, while APP_SECRET is being changed. */
    nextMac: text("next_mac"),
  },
  (t) => [check("app_secret_check_id_check", sql`${t.id} = 1`)],
);

/** A shop's settings for an integration that it enabled. The keys are in `plugin_keys`. */
export const plugins = pgTable(
  "plugins",
  {
    merchantId: text("merchant_id")
      .notNull()
      .references(() => merchants.id),
    integration: text("dialect").$type<IntegrationId>().notNull(),
    /** The id that identifies the plugin in requests, such as a pid or a store id. It is random and never changes. */
    publicId: text("public_id").notNull(),
    isOn: boolean("is_on").notNull(),
    /** The values of the settings that the integration declares. A missing setting has its initial value. */
    settings: jsonb("settings").$type<SettingValues>().notNull().default({}),
    /** A legacy setting, read only by the version that precedes `settings`. `expiration` is also a legacy setting. */
    takesKeyInUrl: boolean("takes_key_in_url").notNull().default(false),
    expiration: text("expiration").notNull().default("remaining"),
    /**
     * The ISO 4217 code of the currency for prices that specify none; null: such prices are amounts of tokens. The column's default is
     * legacy: only the version that did not ask for the currency relies on it.
     */
    fiat: text("fiat").default("CNY"),
    createdAt: at("created_at").notNull(),
    changedAt: at("changed_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.integration] }),
    uniqueIndex("plugins_public_id_key").on(t.publicId),
    check("plugins_dialect_format_check", sql`${t.integration} ~ '^[a-z][a-z0-9-]{0,31}$'`),
    check("plugins_expiration_check", sql`${t.expiration} in ('remaining', 'unix')`),
  ],
);

/** The credential of a plugin. It authenticates and signs only the requests of the plugin's integration. */
export const pluginKeys = pgTable(
  "plugin_keys",
  {
    id: text("id").notNull(),
    merchantId: text("merchant_id").notNull(),
    integration: text("dialect").$type<IntegrationId>().notNull(),
    /** The label for display. */
    label: text("label").notNull().default(""),
    /** The first characters of the key, for display. */
    shown: text("shown").notNull(),
    /** The shared key with which both sides sign, AES-256-GCM under APP_SECRET with the row's id as additional data. */
    keyCipher: text("key_cipher"),
    /** The SHA-256 of a bearer token, hex. */
    tokenHash: text("token_hash"),
    /** The permissions of a token; none if the integration has no permissions. */
    permissions: text("permissions").array().notNull().default([]),
    /**
     * The origin of the site that received the token, such as https://shop.example.com. While the token is live, pages of the site may show
     * payment pages of the plugin's orders in a frame. Null for keys that users entered.
     */
    site: text("site"),
    createdAt: at("created_at").notNull(),
    /** The time of the last request with this key, written at most once a minute. */
    lastUsedAt: at("last_used_at"),
    /** The end of the overlap after a rotation, or the time of the revocation. The key is invalid from then on. */
    endsAt: at("ends_at"),
  },
  (t) => [
    primaryKey({ columns: [t.id, t.merchantId] }),
    uniqueIndex("plugin_keys_token_hash_key").on(t.tokenHash),
    index("plugin_keys_plugin_idx").on(t.merchantId, t.integration, t.createdAt),
    foreignKey({
      name: "plugin_keys_plugin_fk",
      columns: [t.merchantId, t.integration],
      foreignColumns: [plugins.merchantId, plugins.integration],
    }),
    check("plugin_keys_one_check", sql`num_nonnulls(${t.keyCipher}, ${t.tokenHash}) = 1`),
  ],
);

/** The webhooks of a plugin, for integrations that register callback URLs separately from orders. */
export const pluginWebhooks = pgTable(
  "plugin_webhooks",
  {
    id: text("id").notNull(),
    merchantId: text("merchant_id").notNull(),
    integration: text("dialect").$type<IntegrationId>().notNull(),
    url: text("url").notNull(),
    /** The secret that signs the webhook's deliveries, AES-256-GCM under APP_SECRET with the row's id as additional data. */
    secretCipher: text("secret_cipher").notNull(),
    /** The events that the webhook receives, under the integration's names; empty: all events. */
    events: text("events").array().notNull().default([]),
    isEnabled: boolean("is_enabled").notNull().default(true),
    /** True if a failed delivery is retried. */
    isRedelivered: boolean("is_redelivered").notNull().default(true),
    createdAt: at("created_at").notNull(),
    changedAt: at("changed_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.id, t.merchantId] }),
    index("plugin_webhooks_plugin_idx").on(t.merchantId, t.integration, t.createdAt),
    foreignKey({
      name: "plugin_webhooks_plugin_fk",
      columns: [t.merchantId, t.integration],
      foreignColumns: [plugins.merchantId, plugins.integration],
    }),
  ],
);

/** The ids of accepted signed requests. Each id is accepted once per key. */
export const requestIds = pgTable(
  "request_ids",
  {
    apiKeyId: text("api_key_id")
      .notNull()
      .references(() => apiKeys.id, { onDelete: "cascade" }),
    requestId: text("request_id").notNull(),
    forgetAt: at("forget_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.apiKeyId, t.requestId] }), index("request_ids_forget_at_idx").on(t.forgetAt)],
);

/** Shared token buckets (GCRA). Processes take tokens in batches, so a limit applies across all of them. */
export const rateLimits = pgTable(
  "rate_limits",
  {
    key: text("key").primaryKey(),
    /** The theoretical arrival time: the time at which the bucket is full again. */
    fullAt: at("full_at").notNull(),
  },
  (t) => [index("rate_limits_full_at_idx").on(t.fullAt)],
);

/** The owners of addresses on all networks of a family. An address belongs permanently to the merchant who added it first. */
export const familyAddresses = pgTable(
  "family_addresses",
  {
    family: text("family").$type<Family>().notNull(),
    address: text("address").notNull(),
    merchantId: text("merchant_id")
      .notNull()
      .references(() => merchants.id),
  },
  (t) => [
    primaryKey({ columns: [t.family, t.address] }),
    unique("family_addresses_owner_key").on(t.family, t.address, t.merchantId),
  ],
);

/**
 * The sources of a merchant's dedicated addresses, which are derived before orders need them: an extended public key,
 * or a treasury that receivers pay.
 */
export const addressSources = pgTable(
  "address_sources",
  {
    id: text("id").notNull(),
    merchantId: text("merchant_id")
      .notNull()
      .references(() => merchants.id),
    family: text("family").$type<XpubFamily>().notNull(),
    kind: text("kind").$type<SourceKind>().notNull().default("xpub"),
    /**
     * The key or the treasury's address, AES-256-GCM under APP_SECRET with the row's id as additional data. A key
     * cannot spend, but it reveals all income. A treasury that was changed directly in the database cannot be
     * decrypted.
     */
    keyCipher: text("key_cipher").notNull(),
    /** The SHA-256 of the key or treasury, hex, which prevents adding the same one twice. */
    keyHash: text("key_hash").notNull(),
    label: text("label").notNull().default(""),
    /**
     * The networks on which the source's addresses are used; all belong to the source's family. For receivers, only networks with a
     * completed trial are included.
     */
    networks: text("networks").array().notNull(),
    /** The maximum number of addresses that are derived from the source. */
    max: integer("most").notNull(),
    /** The next index to derive. All earlier ones were derived or skipped. */
    nextIndex: integer("next_index").notNull().default(0),
    /** The number of indexes that were skipped after restores, because lost orders may have used their addresses. */
    skipped: integer("skipped").notNull().default(0),
    /**
     * The time at which a signature of its first address proved that the account is the merchant's; null if the address
     * was only compared visually.
     */
    provedAt: at("proved_at"),
    createdAt: at("created_at").notNull(),
    removedAt: at("removed_at"),
  },
  (t) => [
    primaryKey({ columns: [t.id, t.merchantId] }),
    uniqueIndex("address_sources_key_key").on(t.merchantId, t.family, t.keyHash).where(sql`${t.removedAt} is null`),
    index("address_sources_hash_idx").on(t.keyHash),
    check("address_sources_family_check", sql`${t.family} in ('evm', 'tron')`),
    check("address_sources_kind_check", sql`${t.kind} = 'xpub' or (${t.kind} = 'receiver' and ${t.family} = 'evm')`),
    check("address_sources_most_check", sql`${t.max} between 1 and 10000 and ${t.nextIndex} >= 0`),
  ],
);

/**
 * The trial of a treasury's receivers on a network: a small amount is sent to receiver 0, which serves no order, and is
 * swept. Orders get receivers on the network only afterwards.
 */
export const receiverTrials = pgTable(
  "receiver_trials",
  {
    merchantId: text("merchant_id").notNull(),
    sourceId: text("source_id").notNull(),
    network: text("network").notNull(),
    /**
     * The addresses of receiver 0 and of the treasury at the time of the request. The addresses that users see are derived from the
     * source's encrypted key instead.
     */
    receiver: text("receiver").notNull(),
    treasury: text("treasury").notNull(),
    askedAt: at("asked_at").notNull(),
    /** The time of the next check of the chain; null once the trial is complete, or if it seems abandoned. */
    lookAt: at("look_at"),
    /** The last block that was scanned and below which no reorg is expected; null before the first check. */
    scannedHeight: height("scanned_height"),
    /** True if the factory contract was deployed at the last check; null before the first. */
    hasFactory: boolean("has_factory"),
    arrival: jsonb("arrival").$type<TrialTransfer>(),
    sweep: jsonb("sweep").$type<TrialTransfer>(),
    /** The time at which both transfers were final. */
    triedAt: at("tried_at"),
    /** The index up to which (exclusive) the source's addresses were added on this network. */
    filledTo: integer("filled_to").notNull().default(1),
  },
  (t) => [
    primaryKey({ columns: [t.sourceId, t.network, t.merchantId] }),
    index("receiver_trials_look_idx").on(t.network, t.lookAt).where(sql`${t.lookAt} is not null`),
    foreignKey({
      name: "receiver_trials_source_fk",
      columns: [t.sourceId, t.merchantId],
      foreignColumns: [addressSources.id, addressSources.merchantId],
    }),
  ],
);

export const receivingAddresses = pgTable(
  "receiving_addresses",
  {
    id: text("id").notNull(),
    merchantId: text("merchant_id")
      .notNull()
      .references(() => merchants.id),
    network: text("network").notNull(),
    /** The network's family. An address is the same account on all networks of a family. */
    family: text("family").$type<Family>().notNull(),
    /** The address in the canonical form of the network's family (EVM: lower-case hex). */
    address: text("address").notNull(),
    kind: text("kind").$type<AddressKind>().notNull(),
    label: text("label").notNull().default(""),
    /** The HMAC under APP_SECRET over merchant, network, kind and address; for a derived address also over its source. */
    mac: text("mac").notNull(),
    source: text("source").$type<AddressSource>().notNull().default("pasted"),
    /** The source and the index from which the address was derived; null if it was pasted. */
    sourceId: text("source_id"),
    sourceIndex: integer("source_index"),
    createdAt: at("created_at").notNull(),
    pausedAt: at("paused_at"),
    /** The time of removal. A removed address is still watched, but gets no new quotes. */
    removedAt: at("removed_at"),
    /** The time from which a dedicated address is available again, after its last quote and that quote's late window have ended. */
    availableAt: at("rests_until").notNull().default(sql`'epoch'`),
    /**
     * The time until which a shared address of a restored dump offers only amounts that, written in millionths, end in exactly
     * `guard_level` nines. At other times it offers only amounts that do not end in a nine. See db/dump/guard-lost-orders.ts.
     */
    guardedUntil: at("guarded_until").notNull().default(sql`'epoch'`),
    guardLevel: integer("guard_level").notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.id, t.merchantId] }),
    uniqueIndex("receiving_addresses_network_address_key").on(t.merchantId, t.network, t.address),
    index("receiving_addresses_address_idx").on(t.address),
    foreignKey({
      name: "receiving_addresses_owner_fk",
      columns: [t.family, t.address, t.merchantId],
      foreignColumns: [familyAddresses.family, familyAddresses.address, familyAddresses.merchantId],
    }),
    index("receiving_addresses_offer_idx")
      .on(t.merchantId, t.network, t.kind, t.createdAt)
      .where(sql`${t.pausedAt} is null and ${t.removedAt} is null`),
    // Previously used addresses are ordered by the end of their cool-down, unused ones by their derivation index.
    index("receiving_addresses_turn_idx")
      .on(t.merchantId, t.network, t.availableAt, t.sourceIndex)
      .where(sql`${t.kind} = 'dedicated' and ${t.pausedAt} is null and ${t.removedAt} is null`),
    index("receiving_addresses_derived_idx").on(t.id).where(sql`${t.sourceId} is not null and ${t.removedAt} is null`),
    foreignKey({
      name: "receiving_addresses_source_fk",
      columns: [t.sourceId, t.merchantId],
      foreignColumns: [addressSources.id, addressSources.merchantId],
    }),
    check("receiving_addresses_kind_check", sql`${t.kind} in ('shared', 'dedicated')`),
    check(
      "receiving_addresses_source_check",
      sql`(${t.source} = 'pasted') = (${t.sourceId} is null) and (${t.source} = 'pasted') = (${t.sourceIndex} is null) and ${t.source} in ('pasted', 'xpub', 'receiver')`,
    ),
  ],
);

/**
 * The deposit addresses, each of which belongs permanently to a customer of a merchant on one requested network. Such an address has never
 * served an order and is never available to orders (`rests_until`). Transfers to it on any network of the family are credited to the
 * customer.
 */
export const depositAddresses = pgTable(
  "deposit_addresses",
  {
    id: text("id").notNull(),
    merchantId: text("merchant_id")
      .notNull()
      .references(() => merchants.id),
    /** The merchant's own identifier for the customer. */
    customerRef: text("customer_ref").notNull(),
    network: text("network").notNull(),
    family: text("family").$type<Family>().notNull(),
    receivingAddressId: text("receiving_address_id").notNull(),
    address: text("address").notNull(),
    /** The API key that requested the address. Events of its deposits are delivered in that key's format. */
    apiKeyId: text("api_key_id").notNull(),
    notifyUrl: text("notify_url"),
    createdAt: at("created_at").notNull(),
    /** The version, incremented whenever a transfer to the address is found, confirmed or reverted. Open pages refresh when it changes. */
    version: integer("version").notNull().default(1),
  },
  (t) => [
    primaryKey({ columns: [t.id, t.merchantId] }),
    index("deposit_addresses_list_idx").on(t.merchantId, t.id),
    uniqueIndex("deposit_addresses_customer_key").on(t.merchantId, t.customerRef, t.network),
    uniqueIndex("deposit_addresses_address_key").on(t.merchantId, t.family, t.address, t.network),
    foreignKey({
      name: "deposit_addresses_address_fk",
      columns: [t.receivingAddressId, t.merchantId],
      foreignColumns: [receivingAddresses.id, receivingAddresses.merchantId],
    }),
  ],
);

/**
 * The orders. The table has no foreign keys: the statement that inserts an order also reads its key and merchant, which are never deleted,
 * and checking each reference would cost as much as inserting the order.
 */
export const orders = pgTable(
  "orders",
  {
    /** The public trade_id. */
    id: text("id").notNull(),
    merchantId: text("merchant_id").notNull(),
    apiKeyId: text("api_key_id"),
    mchOrderId: text("mch_order_id").notNull(),
    /** The terms of an order whose network and currency the payer chooses; null if the merchant specified both. */
    checkout: jsonb("checkout").$type<CheckoutTerms>(),
    /**
     * The network and currency that the merchant requested, or that the payer first chose; null until then. Later
     * choices are only in the quotes.
     */
    network: text("network"),
    currency: text("currency").$type<Currency>(),
    /** The order amount, in base units of the requested token. */
    amountUnits: units("amount_units"),
    /** The fiat price from which the amount was converted; null if the merchant specified the amount. */
    price: jsonb("price").$type<OrderPrice>(),
    /** The quote that the API and the payment page show; null until the payer chooses a network and currency. */
    quoteId: text("quote_id"),
    status: text("status").$type<OrderStatus>().notNull(),
    exception: text("exception").$type<OrderException>(),
    /** The version, incremented with every change that a payer or a merchant can see. */
    version: integer("version").notNull().default(1),
    /** The confirmed amount so far, in base units of the shown quote's token. */
    paidUnits: units("paid_units").notNull().default(sql`0`),
    /** The transfer that settled the order. */
    settledByTransferId: text("settled_by_transfer_id"),
    notifyUrl: text("notify_url"),
    redirectUrl: text("redirect_url"),
    locale: text("locale"),
    /** The subject, shown to the payer, on the receipt and in lists. */
    subject: text("subject"),
    /** A JSON object, stored exactly as in the request, because any parser, including jsonb, would change it. */
    metadata: text("metadata"),
    /** The integration whose request created the order, and the values that its responses must echo. `echo` is null for the API itself. */
    integration: text("dialect").$type<OrderIntegration>().notNull().default("api"),
    echo: jsonb("echo").$type<Echo>(),
    expiresAt: at("expires_at").notNull(),
    /** The number of times that the payer extended the order. */
    extensions: integer("extensions").notNull().default(0),
    /**
     * The expiry of a pending order, else null. It is indexed instead of the status, so that later updates of an order
     * change no index (HOT).
     */
    expiringAt: at("expiring_at").generatedAlwaysAs(sql`case when status = 'pending' then expires_at end`),
    createdAt: at("created_at").notNull(),
    changedAt: at("changed_at").notNull(),
    paidAt: at("paid_at"),
  },
  (t) => [
    primaryKey({ columns: [t.id, t.merchantId] }),
    // A bytewise index, so that it also serves prefix searches.
    uniqueIndex("orders_merchant_id_mch_order_id_key").on(
      t.merchantId,
      t.mchOrderId.op("text_pattern_ops"),
      t.integration,
    ),
    index("orders_merchant_id_id_idx").on(t.merchantId, t.id),
    index("orders_expiring_idx").on(t.network, t.expiringAt).where(sql`${t.expiringAt} is not null`),
    index("orders_dialect_idx").on(t.merchantId, t.integration, t.id).where(sql`${t.integration} <> 'api'`),
    index("orders_exception_idx").on(t.merchantId, t.exception, t.id).where(sql`${t.exception} is not null`),
    check("orders_status_check", sql`${t.status} in ('pending', 'confirming', 'paid', 'expired', 'cancelled')`),
    check("orders_exception_check", sql`${t.exception} in ('underpaid', 'overpaid', 'late', 'manual')`),
    check("orders_amount_check", sql`${t.amountUnits} > 0`),
    check(
      "orders_chosen_check",
      sql`num_nulls(${t.network}, ${t.currency}, ${t.amountUnits}, ${t.quoteId}) = case when ${t.quoteId} is null and ${t.checkout} is not null then 4 else 0 end`,
    ),
    check("orders_dialect_format_check", sql`${t.integration} ~ '^[a-z][a-z0-9-]{0,31}$'`),
    check("orders_echo_check", sql`(${t.integration} = 'api') = (${t.echo} is null)`),
    check("orders_paid_check", sql`(${t.status} = 'paid') = (${t.paidAt} is not null)`),
  ],
);

/**
 * The numbers of orders that are already deleted, or will be deleted one minute after the row is inserted. These numbers can never be
 * reused.
 */
export const usedOrderNumbers = pgTable(
  "used_order_numbers",
  {
    merchantId: text("merchant_id").notNull(),
    mchOrderId: text("mch_order_id").notNull(),
    integration: text("dialect").$type<OrderIntegration>().notNull().default("api"),
    /** The trade_id that the order has or had. */
    orderId: text("order_id").notNull(),
    usedAt: at("used_at").notNull(),
    isPruned: boolean("is_pruned").notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.mchOrderId, t.integration] }),
    index("used_order_numbers_waiting_idx").on(t.usedAt).where(sql`not ${t.isPruned}`),
  ],
);

/** The quotes of orders. Each quote is a time-limited reservation. Like `orders`, the table has no foreign keys. */
export const quotes = pgTable(
  "quotes",
  {
    merchantId: text("merchant_id").notNull(),
    orderId: text("order_id").notNull(),
    /** An id that is unique among the quotes of the order. */
    id: text("id").notNull(),
    receivingAddressId: text("receiving_address_id").notNull(),
    network: text("network").notNull(),
    family: text("family").$type<Family>().notNull(),
    currency: text("currency").$type<Currency>().notNull(),
    /** The token contract in canonical form. */
    token: text("token").notNull(),
    address: text("address").notNull(),
    kind: text("kind").$type<AddressKind>().notNull(),
    baseUnits: units("base_units").notNull(),
    /** The same amount in millionths of the currency, which is comparable across networks with different decimals. */
    microUnits: bigint("micro_units", { mode: "bigint" }).notNull(),
    /**
     * The order amount in this token and the price from which it was converted, if the payer switched to this quote; null if the order's
     * own values apply.
     */
    askedUnits: units("asked_units"),
    price: jsonb("price").$type<OrderPrice>(),
    /** The time at which the hold was created. The hold also accepts transfers sent up to two minutes earlier. */
    createdAt: at("created_at").notNull(),
    /**
     * The end of the hold: expiration_time plus the late window, or earlier if the quote settled its order. It changes
     * only while the hold lasts.
     */
    reservedUntil: at("reserved_until").notNull(),
    /** The time at which the amount (or the dedicated address) was released for other holds; null before. */
    releasedAt: at("released_at"),
    /**
     * The time at which another quote replaced this one. From then on, transfers to this quote count toward the current quote by their
     * value. Null while transfers to this quote can settle the order.
     */
    supersededAt: at("superseded_at"),
    /**
     * True if another live quote held the same amount at the same address in another currency when the migration
     * amounts_without_currency ran. Such quotes are outside the unique index, and the reserving functions check them
     * separately. Always false for later quotes.
     */
    sharesAmount: boolean("shares_amount").notNull().default(false),
    /**
     * The quote whose missing amount this quote requests, and the transfer of too little that paid that quote in part; null for all other
     * quotes. Transfers to this quote count toward that quote, so that this quote never settles an order alone. `askedUnits` is the
     * missing amount.
     */
    completesQuoteId: text("completes_quote_id"),
    completesTransferId: text("completes_transfer_id"),
  },
  (t) => [
    primaryKey({ columns: [t.orderId, t.merchantId, t.id] }),
    // The key excludes the currency: a transfer of the wrong token must not pay another order.
    uniqueIndex("quotes_held_amount_key")
      .on(t.merchantId, t.address, t.microUnits, t.family)
      .where(sql`${t.releasedAt} is null and ${t.kind} = 'shared' and not ${t.sharesAmount}`),
    index("quotes_shares_amount_idx")
      .on(t.merchantId, t.address, t.microUnits)
      .where(sql`${t.sharesAmount} and ${t.releasedAt} is null`),
    uniqueIndex("quotes_live_dedicated_key")
      .on(t.merchantId, t.address, t.family)
      .where(sql`${t.releasedAt} is null and ${t.kind} = 'dedicated'`),
    index("quotes_dedicated_idx").on(t.receivingAddressId, t.createdAt).where(sql`${t.kind} = 'dedicated'`),
    index("quotes_address_idx").on(t.receivingAddressId, t.baseUnits),
    // The index contains only quotes that a payer switched to. All others are found by their order's network.
    index("quotes_switched_idx").on(t.network).where(sql`${t.askedUnits} is not null and ${t.releasedAt} is null`),
    // The index finds the latest release of a merchant. A new hold of an amount must not begin before the last hold of that amount was
    // released.
    index("quotes_released_at_idx").on(t.merchantId, t.releasedAt).where(sql`${t.releasedAt} is not null`),
    index("quotes_reserved_until_idx").on(t.reservedUntil).where(sql`${t.releasedAt} is null`),
    check("quotes_kind_check", sql`${t.kind} in ('shared', 'dedicated')`),
    check("quotes_base_units_check", sql`${t.baseUnits} > 0`),
    check(
      "quotes_asked_check",
      sql`case when ${t.askedUnits} is null then ${t.price} is null else ${t.askedUnits} <= ${t.baseUnits} end`,
    ),
    // Two holds of the same amount never accept the same transfer: a block time may precede the start of a hold by up to two minutes.
    check(
      "quotes_released_check",
      sql`${t.releasedAt} is null or ${t.releasedAt} >= ${t.reservedUntil} + interval '2 minutes'`,
    ),
  ],
);

/**
 * The hourly totals of a merchant's orders (UTC). The home page adds them up instead of reading a million orders. `paid` … `paySeconds`
 * are counted in the hour of the payment, under the token of the payment. `converted` is counted in the hour in which the order was
 * created, under the same token. `created` and `callbacks` are counted under no token ('').
 */
export const hourlyTotals = pgTable(
  "hourly_totals",
  {
    merchantId: text("merchant_id").notNull(),
    hour: at("hour").notNull(),
    network: text("network").notNull(),
    currency: text("currency").notNull(),
    /** The number of orders created in this hour. */
    created: integer("created").notNull().default(0),
    /** The number of orders created in this hour that were paid at any time. */
    converted: integer("converted").notNull().default(0),
    /** The number of orders paid in this hour, and their confirmed base units, regardless of when those arrived. */
    paid: integer("paid").notNull().default(0),
    paidUnits: units("paid_units").notNull().default(sql`0`),
    /** The whole seconds from creation to payment, summed over the paid orders. */
    paySeconds: bigint("pay_seconds", { mode: "number" }).notNull().default(0),
    /** The number of callbacks enqueued in this hour. */
    callbacks: integer("callbacks").notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.hour, t.network, t.currency] })],
);

/**
 * The counts of orders and transfers of the whole installation, by hour, network and currency. Rows are only inserted, in the transaction
 * that changes an order, so that no two transactions block each other; the worker merges rows with the same key. Hours older than five
 * weeks are merged into one at the Unix epoch.
 */
export const outcomeCounts = pgTable("outcome_counts", {
  id: bigserial("id", { mode: "bigint" }).primaryKey(),
  hour: at("hour").notNull(),
  /** The network; empty if the payer has not chosen one. */
  network: text("network").notNull(),
  currency: text("currency").notNull(),
  outcome: text("outcome").$type<Outcome>().notNull(),
  count: integer("count").notNull(),
});

/** The last report of each machine of the installation: its disks, its newest dump, the certificate that it found. */
export const machineReports = pgTable("machine_reports", {
  machine: text("machine").primaryKey(),
  report: jsonb("report").$type<MachineReport>().notNull(),
  reportedAt: at("reported_at").notNull(),
});

/** The conditions that the operator is alerted about, from their first detection until they end. */
export const operatorAlerts = pgTable(
  "operator_alerts",
  {
    condition: text("condition").$type<AlertCondition>().notNull(),
    /** The subject: a network, a merchant, a machine's folder. */
    subject: text("subject").notNull(),
    foundAt: at("found_at").notNull(),
    /** The time at which the condition had lasted long enough for an alert; null before. */
    startedAt: at("started_at"),
    /** The time at which a message about the condition was last enqueued. */
    notifiedAt: at("told_at"),
  },
  (t) => [primaryKey({ columns: [t.condition, t.subject] })],
);

/** Messages to the operator, kept until they are sent or too old. */
export const operatorMessages = pgTable(
  "operator_messages",
  {
    id: text("id").primaryKey(),
    way: text("way").$type<"email" | "telegram">().notNull(),
    title: text("title").notNull(),
    text: text("text").notNull(),
    createdAt: at("created_at").notNull(),
    /** The time of the next attempt; while the message is being sent, the end of its lease. */
    dueAt: at("due_at").notNull(),
    attempts: integer("attempts").notNull().default(0),
  },
  (t) => [index("operator_messages_due_idx").on(t.dueAt)],
);

/** The time at which any process last evaluated the conditions; one row. */
export const operatorRounds = pgTable("operator_rounds", {
  name: text("name").$type<"alerts">().primaryKey(),
  evaluatedAt: at("evaluated_at").notNull(),
});

/** The position up to which the worker has counted a table into the hourly totals, by its time-ordered ids. */
export const totalCursors = pgTable("total_cursors", {
  counted: text("counted").$type<"orders" | "callbacks">().primaryKey(),
  lastId: text("last_id").notNull(),
});

/**
 * The transaction that the payer of an order entered last, one row for each network on which it may be. The network's worker queries it.
 * Like `orders`, the table has no foreign keys; rows are deleted with their order.
 */
export const lookups = pgTable(
  "lookups",
  {
    merchantId: text("merchant_id").notNull(),
    orderId: text("order_id").notNull(),
    network: text("network").notNull(),
    txId: text("tx_id").notNull(),
    askedAt: at("asked_at").notNull(),
    /** The result; null until the worker queried the transaction. */
    answer: jsonb("answer").$type<LookupAnswer>(),
  },
  (t) => [
    primaryKey({ columns: [t.orderId, t.merchantId, t.network] }),
    index("lookups_open_idx").on(t.network, t.askedAt).where(sql`${t.answer} is null`),
  ],
);

/**
 * The transactions that payers said they sent. Nothing verifies them: a claim credits no transfer and only helps the merchant decide. The
 * network is not stored, because a transaction id can exist on several.
 */
export const paymentClaims = pgTable(
  "payment_claims",
  {
    merchantId: text("merchant_id").notNull(),
    orderId: text("order_id").notNull(),
    txId: text("tx_id").notNull(),
    claimedAt: at("claimed_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.orderId, t.merchantId, t.txId] }),
    index("payment_claims_tx_idx").on(t.merchantId, t.txId),
  ],
);

/** The payment links of merchants: templates from which payers create orders. Amounts are decimal text. */
export const paymentLinks = pgTable(
  "payment_links",
  {
    /** The id, which is also the secret part of the link. */
    id: text("id").notNull(),
    merchantId: text("merchant_id")
      .notNull()
      .references(() => merchants.id),
    /** The API key or the user that created the link. */
    apiKeyId: text("api_key_id"),
    createdBy: text("created_by"),
    /** The merchant's own id of the link, which makes the request repeatable. */
    mchLinkId: text("mch_link_id"),
    /** The network and the currency of its orders; null if the payer selects them. */
    network: text("network"),
    currency: text("currency").$type<Currency>(),
    /** The fiat currency of the amounts; null if they are in tokens. */
    fiat: text("fiat"),
    /** The fixed amount; null if the payer enters the amount, between the optional bounds. */
    amount: text("amount"),
    minAmount: text("min_amount"),
    maxAmount: text("max_amount"),
    subject: text("subject"),
    /** The label of the field in which the payer can enter a note; null for no field. */
    noteLabel: text("note_label"),
    notifyUrl: text("notify_url"),
    redirectUrl: text("redirect_url"),
    /** The maximum number of orders that are open or paid; null for any number. */
    maxUses: integer("max_uses"),
    /** Null if the link does not expire. */
    expiresAt: at("expires_at"),
    createdAt: at("created_at").notNull(),
    closedAt: at("closed_at"),
    /** The user who closed the link; null if an API key did. */
    closedBy: text("closed_by"),
  },
  (t) => [
    primaryKey({ columns: [t.id, t.merchantId] }),
    uniqueIndex("payment_links_mch_link_id_key").on(t.merchantId, t.mchLinkId),
    index("payment_links_list_idx").on(t.merchantId, t.id),
    check("payment_links_amount_check", sql`${t.amount} is null or num_nonnulls(${t.minAmount}, ${t.maxAmount}) = 0`),
    check("payment_links_uses_check", sql`${t.maxUses} > 0`),
  ],
);

/** The orders that payers created with payment links. */
export const paymentLinkOrders = pgTable(
  "payment_link_orders",
  {
    merchantId: text("merchant_id").notNull(),
    linkId: text("link_id").notNull(),
    orderId: text("order_id").notNull(),
    /** The random key of the form that was submitted. The same form submitted again creates no other order. */
    formKey: text("form_key").notNull(),
    /** The note that the payer entered. */
    note: text("note"),
    createdAt: at("created_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.orderId, t.merchantId] }),
    index("payment_link_orders_link_idx").on(t.linkId, t.merchantId, t.orderId),
  ],
);

/**
 * An unused table: amounts are found in the unique index of quotes (ADR 32). Workers of the previous version clear bits
 * in it; the next release drops it.
 */
export const amountBitmaps = pgTable(
  "amount_bitmaps",
  {
    merchantId: text("merchant_id").notNull(),
    family: text("family").$type<Family>().notNull(),
    address: text("address").notNull(),
    /** The first amount of the range, in millionths, divided by 10,000. */
    windowNumber: bigint("window_number", { mode: "number" }).notNull(),
    /** The amounts of the range: 1 = held. The first bit is the lowest amount. */
    held: bit("held", { dimensions: 10_000 }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.family, t.address, t.windowNumber] })],
);

/**
 * An unused table since the migration amounts_without_currency. Workers of an earlier version clear bits in it; the
 * next release drops it.
 */
export const amountWindows = pgTable(
  "amount_windows",
  {
    merchantId: text("merchant_id").notNull(),
    address: text("address").notNull(),
    currency: text("currency").$type<Currency>().notNull(),
    family: text("family").$type<Family>().notNull(),
    /** The first amount of the window, in millionths of the currency, divided by 10,000. */
    windowNumber: bigint("window_number", { mode: "number" }).notNull(),
    /** The amounts of the window: 1 = reserved. The first bit is the lowest amount. */
    taken: bit("taken", { dimensions: 10_000 }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.address, t.currency, t.family, t.windowNumber] })],
);

export const transfers = pgTable(
  "transfers",
  {
    id: text("id").notNull(),
    merchantId: text("merchant_id").notNull(),
    network: text("network").notNull(),
    txId: text("tx_id").notNull(),
    position: text("position").notNull(),
    /** The currency; null if the token is a look-alike, which is never credited. */
    currency: text("currency").$type<Currency>(),
    token: text("token").notNull(),
    fromAddress: text("from_address").notNull(),
    toAddress: text("to_address").notNull(),
    baseUnits: units("base_units").notNull(),
    blockHeight: height("block_height").notNull(),
    blockHash: text("block_hash").notNull(),
    blockTime: at("block_time").notNull(),
    status: text("status").$type<TransferStatus>().notNull(),
    receivingAddressId: text("receiving_address_id").notNull(),
    /** The quote that the transfer matched, or to which a user assigned it; else null. */
    quoteId: text("quote_id"),
    orderId: text("order_id"),
    /** The deposit address that received the transfer, if the address was already assigned. The transfer then has no order. */
    depositId: text("deposit_id"),
    isAssigned: boolean("is_assigned").notNull().default(false),
    /**
     * The only open order with exactly this amount at this address, but in another currency or on another network. Its
     * payer is notified. Null if there is none, or more than one.
     */
    meantOrderId: text("meant_order_id"),
    /** True if the sender is another derived address or receiver of the merchant: the transfer is a sweep and is never credited. */
    isSweep: boolean("is_sweep").notNull().default(false),
    /** The reason why the transfer is unmatched; null before the matcher has processed it, or if it is matched. */
    unmatchedReason: text("unmatched_reason").$type<UnmatchedReason>(),
    /**
     * The time at which a user unlinked the transfer from an order; null if no user did. An unlinked transfer is never matched
     * automatically.
     */
    unlinkedAt: at("unlinked_at"),
    /** The time at which the matcher processed the transfer; null before. */
    matchedAt: at("matched_at"),
    seenAt: at("seen_at").notNull(),
    confirmedAt: at("confirmed_at"),
    /** The number of confirmations when the transfer was confirmed. */
    confirmations: integer("confirmations"),
    /**
     * The contradictory responses of endpoints about the transfer, which block it until the endpoints agree or a user decides; null if
     * there are none.
     */
    contradiction: jsonb("contradiction").$type<Contradiction>(),
    /** The time at which a reorg removed the transfer although it was confirmed; null while it is on the chain. */
    lostAt: at("lost_at"),
    /** The time at which a user of the merchant acknowledged the loss. */
    lostAcknowledgedAt: at("lost_acknowledged_at"),
  },
  (t) => [
    primaryKey({ columns: [t.id, t.merchantId] }),
    uniqueIndex("transfers_identity_key").on(t.network, t.txId, t.position, t.merchantId),
    foreignKey({
      name: "transfers_address_fk",
      columns: [t.receivingAddressId, t.merchantId],
      foreignColumns: [receivingAddresses.id, receivingAddresses.merchantId],
    }),
    foreignKey({
      name: "transfers_order_fk",
      columns: [t.orderId, t.merchantId],
      foreignColumns: [orders.id, orders.merchantId],
    }),
    foreignKey({
      name: "transfers_quote_fk",
      columns: [t.orderId, t.merchantId, t.quoteId],
      foreignColumns: [quotes.orderId, quotes.merchantId, quotes.id],
    }),
    foreignKey({
      name: "transfers_meant_order_fk",
      columns: [t.meantOrderId, t.merchantId],
      foreignColumns: [orders.id, orders.merchantId],
    }),
    index("transfers_order_id_idx").on(t.orderId, t.merchantId),
    index("transfers_meant_order_id_idx").on(t.meantOrderId, t.merchantId).where(sql`${t.meantOrderId} is not null`),
    index("transfers_merchant_id_idx").on(t.merchantId, t.id),
    index("transfers_from_address_idx").on(t.merchantId, t.fromAddress, t.id),
    index("transfers_to_address_idx").on(t.merchantId, t.toAddress, t.id),
    index("transfers_block_time_idx").on(t.merchantId, t.blockTime, t.id),
    index("transfers_open_idx").on(t.network, t.blockHeight).where(sql`${t.status} = 'seen'`),
    index("transfers_height_idx").on(t.network, t.blockHeight),
    index("transfers_unmatched_idx")
      .on(t.merchantId, t.id)
      .where(sql`${t.unmatchedReason} is not null and ${t.status} <> 'dropped'`),
    index("transfers_to_match_idx").on(t.network, t.id).where(sql`${t.matchedAt} is null`),
    index("transfers_lost_idx")
      .on(t.merchantId)
      .where(sql`${t.lostAt} is not null and ${t.lostAcknowledgedAt} is null`),
    index("transfers_deposits_idx").on(t.merchantId, t.id).where(sql`${t.depositId} is not null`),
    index("transfers_deposit_id_idx").on(t.depositId, t.id).where(sql`${t.depositId} is not null`),
    index("transfers_contradicted_idx").on(t.merchantId).where(sql`${t.contradiction} is not null`),
    check("transfers_status_check", sql`${t.status} in ('seen', 'confirmed', 'dropped')`),
    check("transfers_base_units_check", sql`${t.baseUnits} > 0`),
    check(
      "transfers_look_alike_check",
      sql`${t.currency} is not null or (${t.quoteId} is null and ${t.orderId} is null)`,
    ),
  ],
);

/**
 * The transactions that a merchant recorded as refunds of a transfer, with their state on the chain. They change no order. `base_units` is
 * the part that counts toward this transfer; `moved_units` is the total that the transaction moved to its recipient.
 */
export const refunds = pgTable(
  "refunds",
  {
    merchantId: text("merchant_id").notNull(),
    transferId: text("transfer_id").notNull(),
    network: text("network").notNull(),
    txId: text("tx_id").notNull(),
    notedBy: text("noted_by").notNull(),
    notedAt: at("noted_at").notNull(),
    state: text("state").$type<RefundState>().notNull(),
    /** The result of the last check; null before the first. */
    observation: text("said").$type<RefundObservation>(),
    /** The time of the next check; null once no more are needed. */
    lookAt: at("look_at"),
    toAddress: text("to_address"),
    movedUnits: units("moved_units"),
    baseUnits: units("base_units"),
    /** The block time of the transaction. */
    sentAt: at("sent_at"),
  },
  (t) => [
    primaryKey({ columns: [t.transferId, t.merchantId, t.txId] }),
    foreignKey({
      name: "refunds_transfer_fk",
      columns: [t.transferId, t.merchantId],
      foreignColumns: [transfers.id, transfers.merchantId],
    }),
    index("refunds_open_idx").on(t.network, t.lookAt).where(sql`${t.lookAt} is not null`),
    index("refunds_tx_idx").on(t.merchantId, t.network, t.txId),
    index("refunds_sent_idx").on(t.merchantId, t.sentAt).where(sql`${t.state} = 'final'`),
    check("refunds_state_check", sql`${t.state} in ('open', 'final', 'refused', 'never')`),
    check("refunds_final_check", sql`${t.state} <> 'final' or (${t.baseUnits} > 0 and ${t.sentAt} is not null)`),
  ],
);

/**
 * The refunds that merchants requested for an order, or for a transfer that credits no order. The customer claims a refund by entering an
 * address; the merchant approves it and pays from the own wallet; the worker finds the transfer.
 */
export const refundRequests = pgTable(
  "refund_requests",
  {
    /** The id, which is also the secret part of the claim link. */
    id: text("id").notNull(),
    merchantId: text("merchant_id")
      .notNull()
      .references(() => merchants.id),
    orderId: text("order_id"),
    transferId: text("transfer_id"),
    /** The API key or the user that requested the refund; both null if an integration did. */
    apiKeyId: text("api_key_id"),
    requestedBy: text("requested_by"),
    /** The merchant's own id of the refund, which makes the request repeatable. */
    mchRefundId: text("mch_refund_id"),
    integration: text("integration").$type<OrderIntegration>().notNull().default("api"),
    /** The values that the responses of the integration must echo; null if it stored none. */
    echo: jsonb("echo").$type<Echo>(),
    currency: text("currency").$type<Currency>().notNull(),
    /** The amount in millionths of the currency. */
    microUnits: bigint("micro_units", { mode: "bigint" }).notNull(),
    /** The fiat amount from which the amount was converted; null if the amount was requested in tokens. */
    price: jsonb("price").$type<RefundPrice>(),
    reason: text("reason"),
    /** The customer's email address, for the check before a claim; null if it is unknown. */
    email: text("email"),
    status: text("status").$type<RefundStatus>().notNull(),
    /** The version, incremented with every change. */
    version: integer("version").notNull().default(1),
    expiresAt: at("expires_at").notNull(),
    createdAt: at("created_at").notNull(),
    changedAt: at("changed_at").notNull(),
    /** The network and the address that the customer chose, in canonical form; null before the claim. */
    network: text("network"),
    family: text("family").$type<Family>(),
    address: text("address"),
    claimedAt: at("claimed_at"),
    /** The claim, encrypted under APP_SECRET. A claim that was changed in the database differs from it, and is not paid. */
    claimCipher: text("claim_cipher"),
    approvedAt: at("approved_at"),
    approvedBy: text("approved_by"),
    /** The token contract and the base units that complete the refund, fixed by the approval. */
    token: text("token"),
    baseUnits: units("base_units"),
    /** The time at which the refund was cancelled or expired, and the reason that a user gave. */
    endedAt: at("ended_at"),
    endedReason: text("ended_reason"),
    completedAt: at("completed_at"),
    /** The token's own view of the claimed address at its last check, and the time of the next check; null if it is due or not needed. */
    freezeState: text("freeze_state").$type<FreezeState>(),
    freezeCheckedAt: at("freeze_checked_at"),
    freezeLookAt: at("freeze_look_at"),
    /** The time of the last request to a wallet of the browser, and of the first one that the user did not decline. */
    walletAskedAt: at("wallet_asked_at"),
    walletStartedAt: at("wallet_started_at"),
    /** The transaction that the wallet returned, which is only a hint, and its time. Some wallets return no id. */
    walletTxId: text("wallet_tx_id"),
    walletSentAt: at("wallet_sent_at"),
    /** The time at which the refund was last written to a batch file. */
    exportedAt: at("exported_at"),
  },
  (t) => [
    primaryKey({ columns: [t.id, t.merchantId] }),
    uniqueIndex("refund_requests_mch_refund_id_key").on(t.merchantId, t.mchRefundId, t.integration),
    index("refund_requests_list_idx").on(t.merchantId, t.id),
    index("refund_requests_status_idx").on(t.merchantId, t.status, t.id),
    index("refund_requests_order_idx").on(t.orderId, t.merchantId).where(sql`${t.orderId} is not null`),
    index("refund_requests_transfer_idx").on(t.transferId, t.merchantId).where(sql`${t.transferId} is not null`),
    index("refund_requests_expiring_idx").on(t.expiresAt).where(sql`${t.status} = 'requested'`),
    index("refund_requests_watch_idx").on(t.family).where(sql`${t.status} in ('approved', 'sent')`),
    index("refund_requests_ended_idx")
      .on(t.family, t.changedAt)
      .where(sql`${t.status} in ('cancelled', 'completed') and ${t.approvedAt} is not null`),
    index("refund_requests_address_idx").on(t.family, t.address).where(sql`${t.approvedAt} is not null`),
    index("refund_requests_approved_idx").on(t.network).where(sql`${t.status} in ('approved', 'sent')`),
    index("refund_requests_freeze_idx")
      .on(t.network, t.freezeLookAt)
      .where(sql`${t.status} in ('claimed', 'approved')`),
    check("refund_requests_subject_check", sql`num_nonnulls(${t.orderId}, ${t.transferId}) = 1`),
    check(
      "refund_requests_status_check",
      sql`${t.status} in ('requested', 'claimed', 'approved', 'sent', 'completed', 'cancelled', 'expired')`,
    ),
    check("refund_requests_amount_check", sql`${t.microUnits} > 0`),
    check(
      "refund_requests_claim_check",
      sql`${t.status} in ('requested', 'expired', 'cancelled') or num_nulls(${t.network}, ${t.family}, ${t.address}, ${t.claimedAt}) = 0`,
    ),
    check(
      "refund_requests_approval_check",
      sql`${t.status} not in ('approved', 'sent', 'completed') or num_nulls(${t.approvedAt}, ${t.token}, ${t.baseUnits}) = 0`,
    ),
  ],
);

/**
 * The transfers to addresses of approved refunds. They are never income. A row completes at most one refund; all others have the reason
 * why they complete none.
 */
export const refundTransfers = pgTable(
  "refund_transfers",
  {
    network: text("network").notNull(),
    txId: text("tx_id").notNull(),
    position: text("position").notNull(),
    currency: text("currency").$type<Currency>().notNull(),
    token: text("token").notNull(),
    fromAddress: text("from_address").notNull(),
    toAddress: text("to_address").notNull(),
    family: text("family").$type<Family>().notNull(),
    baseUnits: units("base_units").notNull(),
    blockHeight: height("block_height").notNull(),
    blockHash: text("block_hash").notNull(),
    blockTime: at("block_time").notNull(),
    status: text("status").$type<TransferStatus>().notNull(),
    seenAt: at("seen_at").notNull(),
    confirmedAt: at("confirmed_at"),
    /** The refund that the transfer completes; null if none, or if it is not matched yet. */
    refundId: text("refund_id"),
    merchantId: text("merchant_id"),
    /** The reason why it completes no refund. */
    problem: text("problem").$type<RefundTransferProblem>(),
    /** The time at which the transfer was matched; null before. */
    matchedAt: at("matched_at"),
    /** The time of the next check of finality; null if none is needed. */
    lookAt: at("look_at"),
  },
  (t) => [
    primaryKey({ columns: [t.network, t.txId, t.position] }),
    uniqueIndex("refund_transfers_refund_key").on(t.refundId).where(sql`${t.refundId} is not null`),
    index("refund_transfers_to_match_idx").on(t.network).where(sql`${t.matchedAt} is null`),
    index("refund_transfers_open_idx")
      .on(t.network, t.blockHeight)
      .where(sql`${t.status} = 'seen' and ${t.refundId} is not null`),
    index("refund_transfers_height_idx").on(t.network, t.blockHeight),
    index("refund_transfers_month_idx")
      .on(t.merchantId, t.blockTime)
      .where(sql`${t.status} = 'confirmed' and ${t.refundId} is not null`),
    index("refund_transfers_address_idx").on(t.family, t.toAddress),
    check("refund_transfers_status_check", sql`${t.status} in ('seen', 'confirmed', 'dropped')`),
    check("refund_transfers_base_units_check", sql`${t.baseUnits} > 0`),
    check("refund_transfers_refund_check", sql`num_nonnulls(${t.refundId}, ${t.merchantId}) in (0, 2)`),
  ],
);

/** The settings of a merchant for refunds. If there is no row, the defaults apply. */
export const merchantRefunds = pgTable(
  "merchant_refunds",
  {
    merchantId: text("merchant_id")
      .primaryKey()
      .references(() => merchants.id),
    claimCheck: text("claim_check").$type<ClaimCheck>().notNull(),
    /** The networks on which refunds are paid; empty: all enabled networks. */
    networks: text("networks").array().notNull(),
    updatedAt: at("updated_at").notNull(),
  },
  (t) => [check("merchant_refunds_claim_check_check", sql`${t.claimCheck} in ('none', 'order_number', 'email')`)],
);

/**
 * The token balances of receiving addresses on the chain, as of the last request, and the ledger's totals of these
 * addresses up to the same block.
 */
export const addressBalances = pgTable(
  "address_balances",
  {
    merchantId: text("merchant_id").notNull(),
    network: text("network").notNull(),
    address: text("address").notNull(),
    /** The token contract in canonical form, or `COIN`. */
    token: text("token").notNull(),
    currency: text("currency").$type<Currency | typeof COIN_NAME>().notNull(),
    /** The time of the last request. The worker reads the balance while `is_due`. */
    askedAt: at("asked_at").notNull(),
    isDue: boolean("is_due").notNull(),
    /** The result of the last read and its time; null before the first. */
    outcome: text("said").$type<BalanceOutcome>(),
    triedAt: at("tried_at"),
    /** The contradictory responses of endpoints. */
    contradiction: jsonb("contradiction").$type<readonly ReportedBalance[]>(),
    /** The last balance that was read, its block and the time of the read; null before the first. */
    balanceUnits: units("balance_units"),
    height: height("height"),
    readAt: at("read_at"),
    /** The ledger's incoming total up to that block, and the recorded refunds; null until the ledger is complete up to that block. */
    inUnits: units("in_units"),
    backUnits: units("back_units"),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.network, t.address, t.token] }),
    index("address_balances_due_idx").on(t.network, t.askedAt).where(sql`${t.isDue}`),
    index("address_balances_uncounted_idx")
      .on(t.network, t.height)
      .where(sql`${t.readAt} is not null and ${t.inUnits} is null`),
    check("address_balances_said_check", sql`${t.outcome} in ('read', 'silent', 'unknown', 'contradicted')`),
    check("address_balances_read_check", sql`num_nulls(${t.balanceUnits}, ${t.height}, ${t.readAt}) in (0, 3)`),
    check("address_balances_counted_check", sql`num_nulls(${t.inUnits}, ${t.backUnits}) in (0, 2)`),
  ],
);

/**
 * The orders and transfers whose processing failed. Each is processed separately, so that it does not block others, and is retried at
 * `retryAt`. Its row is deleted once it succeeds.
 */
export const failingRows = pgTable(
  "failing_rows",
  {
    task: text("task").$type<FailingTask>().notNull(),
    /**
     * The id of the transfer or refunded transfer, of the order if the task is to expire it, or of the quote if the task is to release its
     * hold.
     */
    id: text("id").notNull(),
    merchantId: text("merchant_id")
      .notNull()
      .references(() => merchants.id),
    /** The network; empty for an order whose payer has not chosen one. */
    network: text("network").notNull(),
    /** The number of consecutive failures. */
    failures: integer("failures").notNull(),
    firstFailedAt: at("first_failed_at").notNull(),
    retryAt: at("retry_at").notNull(),
    /** The kind of error, without values of the row. */
    reason: text("reason").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.task, t.id, t.merchantId] }),
    index("failing_rows_merchant_id_idx").on(t.merchantId),
    check("failing_rows_task_check", sql`${t.task} in ('match', 'confirm', 'expire', 'release', 'refund')`),
  ],
);

/** The appearance of a merchant's payment pages and the sites that may embed them. If there is no row, the defaults apply. */
export const merchantCheckouts = pgTable(
  "merchant_checkouts",
  {
    merchantId: text("merchant_id")
      .primaryKey()
      .references(() => merchants.id),
    /** The version, incremented with every change. Pages rendered with an earlier version are outdated. */
    version: integer("version").notNull(),
    /** The name that payers see instead of the merchant's own name. */
    shownName: text("shown_name"),
    /** The accent color, such as "#1a2b3c". */
    accent: text("accent"),
    /** The support URL, https: or mailto:. */
    supportUrl: text("support_url"),
    /** The origins whose pages may embed a payment page in a frame. */
    frameParents: text("frame_parents").array().notNull().default([]),
    /** The language tags that the page offers; none: all available languages. */
    languages: text("languages").array().notNull().default([]),
    /** The URL from which the logo was fetched, once. */
    logoUrl: text("logo_url"),
    /** The logo: a small square WebP, base64. */
    logo: text("logo"),
    updatedAt: at("updated_at").notNull(),
  },
  (t) => [
    check("merchant_checkouts_accent_check", sql`${t.accent} ~ '^#[0-9a-f]{6}$'`),
    check("merchant_checkouts_logo_check", sql`num_nonnulls(${t.logo}, ${t.logoUrl}) in (0, 2)`),
    check("merchant_checkouts_logo_size_check", sql`length(${t.logo}) <= 2048`),
  ],
);

/**
 * The confirmation rules of a merchant for a network, where they differ from the network's. If there is no row, the network's rules apply.
 */
export const merchantNetworks = pgTable(
  "merchant_networks",
  {
    merchantId: text("merchant_id")
      .notNull()
      .references(() => merchants.id),
    network: text("network").notNull(),
    /** The minimum number of confirmations of a transfer, besides finality by the network's own rule; null if `min_seconds` applies. */
    minConfirmations: integer("min_confirmations"),
    /** The minimum age of a transfer in seconds, by block time; null if `min_confirmations` applies. */
    minSeconds: integer("min_seconds"),
    updatedAt: at("updated_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.network] }),
    index("merchant_networks_network_idx").on(t.network, t.minConfirmations),
    check("merchant_networks_min_confirmations_check", sql`${t.minConfirmations} > 0`),
    check("merchant_networks_min_seconds_check", sql`${t.minSeconds} > 0`),
    check("merchant_networks_one_check", sql`num_nonnulls(${t.minConfirmations}, ${t.minSeconds}) = 1`),
  ],
);

/**
 * The conversion rules for a merchant's prices in a fiat currency. If there is no row, market rates apply and no price in the currency was
 * ever requested.
 */
export const merchantPrices = pgTable(
  "merchant_prices",
  {
    merchantId: text("merchant_id")
      .notNull()
      .references(() => merchants.id),
    /** The ISO 4217 code. */
    fiat: text("fiat").notNull(),
    mode: text("mode").$type<PriceSetting["mode"]>().notNull(),
    markUpBasisPoints: integer("mark_up_basis_points").notNull().default(0),
    /** The price of one token, in units of 10^-12. If market rates apply, it is the fallback while no rate is available. */
    fixedRate: units("fixed_rate"),
    /** The time at which a user set the rule; null if the row exists only because a price was requested. */
    setAt: at("set_at"),
    /** The last day on which a price was requested or set. Market rates are read for the currencies of the last month. */
    usedAt: at("used_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.fiat] }),
    index("merchant_prices_market_idx").on(t.fiat, t.usedAt).where(sql`${t.mode} <> 'fixed'`),
    check("merchant_prices_mode_check", sql`${t.mode} in ('market', 'markup', 'fixed')`),
    check("merchant_prices_fixed_rate_check", sql`${t.fixedRate} > 0`),
    check("merchant_prices_fixed_check", sql`${t.mode} <> 'fixed' or ${t.fixedRate} is not null`),
    check("merchant_prices_mark_up_check", sql`${t.markUpBasisPoints} between 0 and 5000`),
  ],
);

/** The state of each source of rates, and the worker that reads it. The sources are defined in lib/domain/rates/sources.ts. */
export const rateSources = pgTable("rate_sources", {
  source: text("source").primaryKey(),
  /** The currencies of the last request, comma-separated. Currencies that are not in this list are requested immediately. */
  askedFor: text("asked_for").notNull(),
  /** The time of the next request. */
  nextAt: at("next_at").notNull(),
  leaseOwner: text("lease_owner"),
  leaseUntil: at("lease_until"),
  /** The time of the last response with a rate. */
  answeredAt: at("answered_at"),
  /** The reason why the last request returned no rate; null if it returned one. */
  failure: recordedProblem("failure"),
  /** A message that lists the rates ignored because they differ too much from those of other sources; null if there are none. */
  warning: text("warning"),
});

/** The last rates of each source. */
export const rateReadings = pgTable(
  "rate_readings",
  {
    source: text("source").notNull(),
    /** The symbol of a token, or an ISO 4217 code. */
    asset: text("asset").notNull(),
    fiat: text("fiat").notNull(),
    /** The price of one `asset`, in units of 10^-12. */
    rate: units("rate").notNull(),
    /** The time of the read, or the earlier time that the source gives for its rate. */
    at: at("at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.source, t.asset, t.fiat] })],
);

/** The hashes of scanned blocks, back to the deepest block that a pending confirmation needs. They are used to detect reorgs. */
export const blocks = pgTable(
  "blocks",
  {
    network: text("network").notNull(),
    height: height("height").notNull(),
    hash: text("hash").notNull(),
    parentHash: text("parent_hash").notNull(),
    time: at("time").notNull(),
  },
  (t) => [primaryKey({ columns: [t.network, t.height] })],
);

/** The scan position, the reading worker and the state of each network; one row per network. */
export const cursors = pgTable(
  "cursors",
  {
    network: text("network").primaryKey(),
    /** The last block up to which (inclusive) the ledger is complete; null before the first scan. */
    height: height("height"),
    hash: text("hash"),
    /** The time of that block. Before the first scan of a network that was closed: the time from which the first scan must read. */
    blockTime: at("block_time"),
    headHeight: height("head_height"),
    headTime: at("head_time"),
    finalizedHeight: height("finalized_height"),
    /** The time between blocks in milliseconds, as last measured; null before. */
    blockMs: integer("block_ms"),
    /** The time at which the cursor last reached the head. */
    caughtUpAt: at("caught_up_at"),
    /** The time of the last response of a node. */
    respondedAt: at("heard_at"),
    /** A message that describes why the network accepts no new orders; null if it accepts them. */
    problem: text("problem"),
    /** A message that warns about a problem that does not keep the network from accepting orders; null if there is none. */
    warning: text("warning"),
    /** The health of the worker's endpoints, in the order of the configuration. */
    endpoints: jsonb("endpoints").$type<EndpointHealth[]>().notNull().default([]),
    /** The last requested gas price per unit of gas, in the smallest unit of the network's native coin. */
    gasPrice: units("gas_price"),
    gasPriceAt: at("gas_price_at"),
    /** The polling tier of the network. */
    watchState: text("watch_state").$type<WatchState>().notNull().default("awake"),
    leaseOwner: text("lease_owner"),
    leaseUntil: at("lease_until"),
    /** The time at which an operator closed the network; null while it is open. */
    closedAt: at("closed_at"),
    /** The operator's email address, or `COMMAND_LINE`; null while the network is open. */
    closedBy: text("closed_by"),
    /** The operator's reason, empty if none was given; null while the network is open. */
    closeReason: text("close_reason"),
  },
  (t) => [check("cursors_closed_check", sql`num_nulls(${t.closedAt}, ${t.closedBy}, ${t.closeReason}) in (0, 3)`)],
);

/** The number of calls to an endpoint on a day (UTC). The worker counts them and writes them every few seconds. */
export const endpointCalls = pgTable(
  "endpoint_calls",
  {
    network: text("network").notNull(),
    /** The endpoint's name: its host, with a number if one host serves several endpoints. */
    endpoint: text("endpoint").notNull(),
    day: date("day", { mode: "string" }).notNull(),
    calls: bigint("calls", { mode: "number" }).notNull(),
    /** The number of calls that failed or returned an invalid response. */
    errors: bigint("errors", { mode: "number" }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.network, t.endpoint, t.day] })],
);

/** The position up to which the history of a watched token account is read, on networks that are read by account (Solana). */
export const accountCursors = pgTable(
  "account_cursors",
  {
    network: text("network").notNull(),
    account: text("account").notNull(),
    /** The last slot up to which (inclusive) all of the account's transfers are in the ledger or precede the start of the watch. */
    slot: height("slot").notNull(),
  },
  (t) => [primaryKey({ columns: [t.network, t.account] })],
);

/**
 * The transactions that affected a watched account, but that no endpoint returns in a parsable form. They are displayed to users, and
 * retried until they can be parsed.
 */
export const unreadableTransactions = pgTable(
  "unreadable_transactions",
  {
    merchantId: text("merchant_id").notNull(),
    network: text("network").notNull(),
    txId: text("tx_id").notNull(),
    /** The token account whose history contains the transaction. */
    account: text("account").notNull(),
    receivingAddressId: text("receiving_address_id").notNull(),
    slot: height("slot").notNull(),
    /** A message with the responses of the endpoints. */
    reason: text("reason").notNull(),
    firstSeenAt: at("first_seen_at").notNull(),
    triedAt: at("tried_at").notNull(),
    /** The time at which the transaction was parsed, or found to be no longer on the chain; null while it is pending. */
    resolvedAt: at("resolved_at"),
  },
  (t) => [
    primaryKey({ columns: [t.network, t.txId, t.account, t.merchantId] }),
    foreignKey({
      name: "unreadable_transactions_address_fk",
      columns: [t.receivingAddressId, t.merchantId],
      foreignColumns: [receivingAddresses.id, receivingAddresses.merchantId],
    }),
    index("unreadable_transactions_waiting_idx").on(t.network, t.triedAt).where(sql`${t.resolvedAt} is null`),
    index("unreadable_transactions_merchant_id_idx").on(t.merchantId).where(sql`${t.resolvedAt} is null`),
  ],
);

/**
 * The events of orders, as merchants receive them. They are listed for a merchant in the order of `number`, and delivered by a callback if
 * there is a URL for it. Each change of an order has one event of each type.
 */
export const events = pgTable(
  "events",
  {
    /** The id with the prefix evt_. */
    id: text("id").notNull(),
    merchantId: text("merchant_id").notNull(),
    /** The order; null if the event is about a deposit. */
    orderId: text("order_id"),
    /** The deposit address and the transfer of the event; null if the event is about an order. */
    depositId: text("deposit_id"),
    transferId: text("transfer_id"),
    type: text("type").$type<CallbackType>().notNull(),
    /** The version of the order after the change; for a deposit, counted over its own events. */
    version: integer("version").notNull(),
    /** The exact bytes of the standard format. */
    body: text("body").notNull(),
    /** The position in insertion order. Events of one order follow the order of its changes. */
    position: bigserial("position", { mode: "bigint" }).notNull(),
    /** The position among the merchant's events, assigned after the commit; null until the event is listed. */
    number: bigint("number", { mode: "number" }),
    createdAt: at("created_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.id, t.merchantId] }),
    uniqueIndex("events_change_key").on(t.orderId, t.type, t.version, t.merchantId),
    uniqueIndex("events_deposit_key")
      .on(t.transferId, t.type, t.version, t.merchantId)
      .where(sql`${t.transferId} is not null`),
    uniqueIndex("events_number_key").on(t.merchantId, t.number),
    index("events_unnumbered_idx").on(t.merchantId, t.position).where(sql`${t.number} is null`),
    foreignKey({
      name: "events_order_fk",
      columns: [t.orderId, t.merchantId],
      foreignColumns: [orders.id, orders.merchantId],
    }),
  ],
);

/** The sequence of `callbacks.position`. */
export const callbackPositions = pgSequence("callback_positions");

/** The last number that was assigned to an event of each merchant. */
export const eventCounters = pgTable("event_counters", {
  merchantId: text("merchant_id").primaryKey(),
  last: bigint("last", { mode: "number" }).notNull(),
});

export const callbacks = pgTable(
  "callbacks",
  {
    /** The id of its event: the webhook-id of every attempt. */
    id: text("id").notNull(),
    merchantId: text("merchant_id").notNull(),
    /** The order; null if the callback is about a deposit. */
    orderId: text("order_id"),
    /** The deposit address of the callback; null if it is about an order. */
    depositId: text("deposit_id"),
    type: text("type").$type<StoredCallbackType>().notNull(),
    url: text("url").notNull(),
    /** The scheme://host:port of the URL. Deliveries are limited per origin, and origins are served in turn. */
    origin: text("origin").notNull(),
    /** The exact bytes that every attempt sends. */
    body: text("body").notNull(),
    /** The webhook that receives the callback; null if the order's own URL receives it. */
    webhookId: text("webhook_id"),
    /** The format of the body, which also determines the response that acknowledges it. */
    format: text("format").$type<CallbackFormat>().notNull().default("standard"),
    status: text("status").$type<"pending" | "delivered" | "failed">().notNull(),
    attempts: integer("attempts").notNull().default(0),
    /** The number of attempts of the current series. A resend starts a new series. */
    seriesAttempts: integer("series_attempts").notNull().default(0),
    /** The time of the next attempt; while one is in progress, the end of its lease, when another sender may take it over. */
    nextAttemptAt: at("next_attempt_at"),
    leaseOwner: text("lease_owner"),
    /** The end of the lease; null while no sender holds it. */
    leaseUntil: at("lease_until"),
    lastHttpStatus: integer("last_http_status"),
    deliveredAt: at("delivered_at"),
    createdAt: at("created_at").notNull(),
    /**
     * The position in the sequence of all callbacks. Callbacks of one order ascend in the sequence of its changes, because each change locks
     * the order. Null for callbacks of earlier releases.
     */
    position: bigint("position", { mode: "number" }).default(sql`nextval('callback_positions')`),
    /** The reason why the last attempt could not be signed; null if it was signed. */
    unsignedReason: text("unsigned_reason").$type<UnsignedReason>(),
    /** The time since which the callback could not be signed; null if it could. */
    unsignedSince: at("unsigned_since"),
  },
  (t) => [
    primaryKey({ columns: [t.id, t.merchantId] }),
    index("callbacks_unsigned_idx").on(t.merchantId).where(sql`${t.unsignedSince} is not null`),
    index("callbacks_order_id_idx").on(t.orderId, t.type, t.merchantId, t.id),
    foreignKey({
      name: "callbacks_order_fk",
      columns: [t.orderId, t.merchantId],
      foreignColumns: [orders.id, orders.merchantId],
    }),
    index("callbacks_due_idx").on(t.origin, t.nextAttemptAt).where(sql`${t.status} = 'pending'`),
    index("callbacks_due_time_idx").on(t.nextAttemptAt).where(sql`${t.status} = 'pending'`),
    index("callbacks_in_flight_idx").on(t.origin, t.leaseUntil).where(sql`${t.leaseUntil} is not null`),
    index("callbacks_merchant_id_idx").on(t.merchantId, t.id),
    index("callbacks_webhook_idx").on(t.merchantId, t.webhookId, t.position).where(sql`${t.webhookId} is not null`),
    index("callbacks_failed_idx").on(t.merchantId, t.createdAt).where(sql`${t.status} = 'failed'`),
    check("callbacks_status_check", sql`${t.status} in ('pending', 'delivered', 'failed')`),
    check("callbacks_next_attempt_check", sql`(${t.status} = 'pending') = (${t.nextAttemptAt} is not null)`),
  ],
);

/** The attempts of callbacks, partitioned by month (`started_at`), because old rows of append-only tables are deleted month by month. */
export const callbackAttempts = pgTable(
  "callback_attempts",
  {
    merchantId: text("merchant_id").notNull(),
    callbackId: text("callback_id").notNull(),
    number: integer("number").notNull(),
    startedAt: at("started_at").notNull(),
    durationMs: integer("duration_ms").notNull(),
    /** The duration of each stage; null if the attempt did not reach it, or did not need it. */
    dnsMs: integer("dns_ms"),
    connectMs: integer("connect_ms"),
    tlsMs: integer("tls_ms"),
    firstByteMs: integer("first_byte_ms"),
    httpStatus: integer("http_status"),
    /** The reason why the attempt received no HTTP status. */
    error: recordedProblem("error"),
    /** The first 1 KiB of the response. */
    answer: text("answer"),
    /** The IP address of the connection. */
    peer: text("peer"),
  },
  (t) => [primaryKey({ columns: [t.callbackId, t.merchantId, t.number, t.startedAt] })],
);

/** The state of deliveries to each origin. Deliveries to an origin that keeps failing are paused and probed. */
export const callbackOrigins = pgTable("callback_origins", {
  origin: text("origin").primaryKey(),
  /** The number of consecutive failures; concurrent attempts count once. */
  failures: integer("failures").notNull().default(0),
  /**
   * The end of the pause, set with every counted failure. No delivery is claimed before this time, and failures of attempts that started
   * before it do not count again.
   */
  pausedUntil: at("paused_until"),
  /** The time at which a delivery to the origin was last claimed. Claims use it to serve origins in turn. */
  servedAt: at("served_at"),
});

/** The append-only audit log: actions of users and every status change of an order. Partitioned by month (`at`). */
export const auditEvents = pgTable(
  "audit_events",
  {
    id: text("id").notNull(),
    merchantId: text("merchant_id").notNull(),
    /** The user; null if the service itself acted. */
    userId: text("user_id"),
    orderId: text("order_id"),
    action: text("action").$type<AuditAction>().notNull(),
    detail: jsonb("detail").$type<Record<string, unknown>>().notNull().default({}),
    at: at("at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.id, t.merchantId, t.at] }),
    index("audit_events_merchant_id_idx").on(t.merchantId, t.id),
    index("audit_events_order_id_idx").on(t.orderId, t.merchantId, t.id).where(sql`${t.orderId} is not null`),
    index("audit_events_user_id_idx").on(t.merchantId, t.userId, t.id).where(sql`${t.userId} is not null`),
    index("audit_events_no_order_idx").on(t.merchantId, t.id).where(sql`${t.orderId} is null`),
  ],
);

/** The notification channels of users of a shop. They are deleted with the membership. */
export const notificationChannels = pgTable(
  "notification_channels",
  {
    id: text("id").notNull(),
    merchantId: text("merchant_id").notNull(),
    userId: text("user_id").notNull(),
    way: text("way").$type<Way>().notNull(),
    /** The target for display: the email address, the chat's id, the webhook's host. */
    shown: text("shown").notNull(),
    /** The target with its credentials, as JSON, AES-256-GCM under APP_SECRET with the row's id as additional data. */
    targetCipher: text("target_cipher").notNull(),
    /** The language of its messages. */
    language: text("language").notNull(),
    /** The IANA time zone that defines the days and hours of the daily report. */
    timeZone: text("time_zone").notNull(),
    /** The hour of the day, in that time zone, at which the daily report is due. */
    reportHour: integer("report_hour").notNull(),
    /** The SHA-256 of the verification code that was sent to the target, hex; null once it was entered. */
    codeHash: text("code_hash"),
    codeExpiresAt: at("code_expires_at"),
    /** The time of the verification. Notifications are enqueued only afterwards. */
    verifiedAt: at("verified_at"),
    /** The reason why the last message was not sent; null when it was. */
    problem: recordedProblem("problem"),
    createdAt: at("created_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.id, t.merchantId] }),
    index("notification_channels_person_idx").on(t.merchantId, t.userId, t.createdAt),
    foreignKey({
      name: "notification_channels_member_fk",
      columns: [t.merchantId, t.userId],
      foreignColumns: [memberships.merchantId, memberships.userId],
    }).onDelete("cascade"),
    check("notification_channels_way_check", sql`${t.way} in ('email', 'telegram', 'webhook')`),
    check("notification_channels_report_hour_check", sql`${t.reportHour} between 0 and 23`),
  ],
);

/** The kinds of notification that each channel receives. */
export const notificationChoices = pgTable(
  "notification_choices",
  {
    merchantId: text("merchant_id").notNull(),
    channelId: text("channel_id").notNull(),
    kind: text("kind").$type<NotificationKind>().notNull(),
    /** The time of the choice. Earlier events are not reported. */
    since: at("since").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.channelId, t.kind] }),
    foreignKey({
      name: "notification_choices_channel_fk",
      columns: [t.channelId, t.merchantId],
      foreignColumns: [notificationChannels.id, notificationChannels.merchantId],
    }).onDelete("cascade"),
  ],
);

/** The notifications of each channel and their delivery state. Each fact is reported once per channel. */
export const notifications = pgTable(
  "notifications",
  {
    id: text("id").notNull(),
    merchantId: text("merchant_id").notNull(),
    channelId: text("channel_id").notNull(),
    kind: text("kind").$type<NotificationKind>().notNull(),
    /** A key that identifies the fact among those of its kind. */
    factKey: text("fact_key").notNull(),
    /** The data of the message. It contains no secrets. */
    facts: jsonb("facts").$type<Record<string, unknown>>().notNull(),
    createdAt: at("created_at").notNull(),
    /** The time of the next attempt; while a message is being sent, the end of its lease. Null once it is sent or has failed. */
    dueAt: at("due_at"),
    /**
     * The id of the message that contains the notification, possibly with others of its kind. It is the same at every attempt; null before
     * the first attempt.
     */
    messageId: text("message_id"),
    attempts: integer("attempts").notNull().default(0),
    sentAt: at("sent_at"),
    failedAt: at("failed_at"),
  },
  (t) => [
    primaryKey({ columns: [t.id, t.merchantId] }),
    uniqueIndex("notifications_fact_key").on(t.merchantId, t.channelId, t.kind, t.factKey),
    index("notifications_due_idx").on(t.dueAt).where(sql`${t.dueAt} is not null`),
    index("notifications_sent_idx").on(t.merchantId, t.channelId, t.kind, t.sentAt).where(sql`${t.sentAt} is not null`),
    index("notifications_created_at_idx").on(t.createdAt),
    foreignKey({
      name: "notifications_channel_fk",
      columns: [t.channelId, t.merchantId],
      foreignColumns: [notificationChannels.id, notificationChannels.merchantId],
    }).onDelete("cascade"),
    check("notifications_due_check", sql`num_nonnulls(${t.dueAt}, ${t.sentAt}, ${t.failedAt}) = 1`),
  ],
);

/**
 * The pending emails to users about their own account, independent of shops. They are deleted once they are sent, have
 * failed or are too late.
 */
export const accountEmails = pgTable(
  "account_letters",
  {
    id: text("id").primaryKey(),
    kind: text("kind").$type<AccountEmailKind>().notNull(),
    /**
     * The address in lower case. For a requested link, it is the address that was entered, whether or not a user has it; otherwise it is
     * the user's own.
     */
    email: text("email").notNull(),
    /** The data of the email. It contains no secrets. */
    facts: jsonb("facts").$type<Record<string, unknown>>().notNull(),
    language: text("language").notNull(),
    createdAt: at("created_at").notNull(),
    /** The time of the next attempt; while it is being sent, the end of its lease. */
    dueAt: at("due_at").notNull(),
    attempts: integer("attempts").notNull().default(0),
  },
  (t) => [
    index("account_letters_due_idx").on(t.dueAt),
    index("account_letters_email_idx").on(t.email, t.kind),
    index("account_letters_created_at_idx").on(t.createdAt),
    check("account_letters_kind_check", sql`${t.kind} in ('passwordReset', 'securityChanged')`),
  ],
);

/** The time up to which events of all merchants were read for notifications; one row. */
export const notificationCursors = pgTable("notification_cursors", {
  name: text("name").$type<"news">().primaryKey(),
  readTo: at("read_to").notNull(),
});
