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
import type { CallbackType } from "@/lib/domain/callbacks/callback";
import type { UnsignedReason } from "@/lib/domain/callbacks/unsigned";
import { type Echo, type IntegrationId, type OrderIntegration, USUAL_FIAT } from "@/lib/domain/integration-id";
import type { SettingValues } from "@/lib/domain/integrations/settings";
import { type CallbackFormat, type KeyFormat, type OptInType, SCOPES, type Scope } from "@/lib/domain/keys/key-rules";
import type { Role } from "@/lib/domain/keys/role";
import type { COIN_NAME, Currency, Family } from "@/lib/domain/networks";
import type { EndpointHealth } from "@/lib/domain/networks/health";
import type { WatchState } from "@/lib/domain/networks/watch-state";
import type { AccountLetterKind } from "@/lib/domain/notifications/account-letter";
import type { NotificationKind, Way } from "@/lib/domain/notifications/notification";
import type { AlertCondition, MachineReport, Outcome } from "@/lib/domain/operating/conditions";
import type { CheckoutTerms, OrderException, OrderPrice, OrderStatus } from "@/lib/domain/orders/order";
import type { Problem } from "@/lib/domain/problems/problem";
import { readRecordedProblem, recordProblem } from "@/lib/domain/problems/recorded";
import type { PriceSetting } from "@/lib/domain/rates/setting";
import type { BalanceSaid, BalanceSays } from "@/lib/domain/transfers/balance";
import type { FailingTask } from "@/lib/domain/transfers/failing-task";
import type { LookupAnswer } from "@/lib/domain/transfers/lookup";
import type { RefundSays, RefundState } from "@/lib/domain/transfers/refund";
import type { Contradiction, TransferStatus, UnmatchedReason } from "@/lib/domain/transfers/transfer";
import type { ChallengePurpose } from "@/lib/domain/users/challenge";

/** Base units of a token: any uint256 fits. */
const units = (name: string) => numeric(name, { precision: 78, scale: 0, mode: "bigint" });
const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const height = (name: string) => bigint(name, { mode: "number" });
/** A problem as JSON of its code and parameters. Sentences that earlier releases stored are read too. */
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
    /** Of the amount that a price in money of the world comes to. */
    priceDecimals: integer("price_decimals").notNull().default(2),
    /** Orders ask for no less and no more than this, in millionths of their currency; null: for anything. */
    leastMicro: bigint("least_micro", { mode: "bigint" }),
    mostMicro: bigint("most_micro", { mode: "bigint" }),
    /** Tokens that are not offered, each as "network CURRENCY". */
    offMethods: text("off_methods").array().notNull().default([]),
    /**
     * A sum on a dedicated address may be so much short and counts as paid in full: in hundredths of a percent and in millionths of
     * the currency, by no more than either; null: that one does not matter. Both null: there is none.
     */
    toleranceBasisPoints: integer("tolerance_basis_points"),
    toleranceMicro: bigint("tolerance_micro", { mode: "bigint" }),
    /** How long after a payment its amount on a shared address is held still, where the order expires no later. */
    settledHoldSeconds: integer("settled_hold_seconds").notNull().default(3_600),
    /** Orders that no money reached are deleted after so many days; null: when the installation does. */
    unpaidDays: integer("unpaid_days"),
    /** Nobody works in the shop without a second factor. */
    asksSecondFactor: boolean("asks_second_factor").notNull().default(false),
    createdAt: at("created_at").notNull(),
  },
  (t) => [
    check("merchants_expires_in_check", sql`${t.expiresInSeconds} between 300 and 86400`),
    check("merchants_late_window_check", sql`${t.lateWindowSeconds} between 0 and 2592000`),
    check("merchants_price_decimals_check", sql`${t.priceDecimals} between 0 and 6`),
    check("merchants_amounts_check", sql`${t.leastMicro} > 0 and ${t.mostMicro} >= coalesce(${t.leastMicro}, 1)`),
    check("merchants_tolerance_check", sql`${t.toleranceBasisPoints} between 1 and 1000 and ${t.toleranceMicro} > 0`),
    check("merchants_settled_hold_check", sql`${t.settledHoldSeconds} between 600 and 2592000`),
    check("merchants_unpaid_days_check", sql`${t.unpaidDays} between 90 and 3650`),
  ],
);

/** People of the installation; what they may do is said shop by shop (`memberships`). */
export const users = pgTable(
  "users",
  {
    id: text("id").primaryKey(),
    /** Lower case. */
    email: text("email").notNull(),
    /** When the person proved that the mailbox is theirs; null: a stranger may have registered it. */
    emailVerifiedAt: at("email_verified_at"),
    passwordHash: text("password_hash").notNull(),
    name: text("name"),
    /** Sees which shops there are, and may make more; sees no shop's orders by it. */
    isOperator: boolean("is_operator").notNull().default(false),
    /** Secret of the one-time codes (RFC 6238), sealed; null: none. */
    totpSealed: text("totp_sealed"),
    /** Since when codes are asked for; null: the secret was shown, and no right code was typed yet. */
    totpSince: at("totp_since"),
    /** The 30 seconds whose code was used last: it and all before it count no more. */
    totpStep: bigint("totp_step", { mode: "number" }),
    /** Of the back office, as they read it where they signed in last. */
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

/** Browsers that people signed in with: a cookie is worth what its row here says at that moment. */
export const sessions = pgTable(
  "sessions",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    /** The shop that was chosen last; another, or none, where the person is no member of it any more. */
    merchantId: text("merchant_id"),
    createdAt: at("created_at").notNull(),
    /** Written once a minute at most. */
    lastSeenAt: at("last_seen_at").notNull(),
    /** Of the visitor's address what it can hardly change: all of IPv4, the /64 network of IPv6. */
    network: text("network").notNull(),
    /** In words, "Firefox on Windows". */
    browser: text("browser").notNull(),
    endedAt: at("ended_at"),
    /** When the password was typed last. */
    strongAt: at("strong_at").notNull(),
  },
  (t) => [index("sessions_user_id_idx").on(t.userId, t.createdAt), index("sessions_created_at_idx").on(t.createdAt)],
);

/** Keys that devices of people hold (WebAuthn). */
export const passkeys = pgTable(
  "passkeys",
  {
    /** The credential's id, base64url; unique by itself. */
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    name: text("name").notNull(),
    /** COSE, base64url. */
    publicKey: text("public_key").notNull(),
    /** How often the device signed, as it says; 0 for ever with most. */
    counter: bigint("counter", { mode: "number" }).notNull(),
    transports: text("transports").array().notNull(),
    createdAt: at("created_at").notNull(),
    lastUsedAt: at("last_used_at"),
  },
  (t) => [index("passkeys_user_id_idx").on(t.userId)],
);

/** Codes for who lost the second factor; one that was used is gone. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    /** SHA-256, hex; the codes are 80 random bits. */
    codeHash: text("code_hash").notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.codeHash] })],
);

/** What waits for one answer: challenges of passkeys, and the first step of signing in. One that was answered is gone. */
export const challenges = pgTable(
  "challenges",
  {
    /** Random, base64url. */
    id: text("id").primaryKey(),
    purpose: text("purpose").$type<ChallengePurpose>().notNull(),
    /** Who has to answer it; null: whoever can. */
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

/** Ways into a shop for one person each: whoever has the link, and its e-mail address. */
export const invitations = pgTable(
  "invitations",
  {
    id: text("id").primaryKey(),
    merchantId: text("merchant_id")
      .notNull()
      .references(() => merchants.id),
    /** SHA-256 of the link's token, hex. */
    tokenHash: text("token_hash").notNull(),
    /** Lower case. */
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
    /** First characters of the key, for people. */
    prefix: text("prefix").notNull(),
    /** HMAC of the key's SHA-256 under APP_SECRET, base64url: a request's key is found by it. */
    lookupMac: text("lookup_mac"),
    /** The key's SHA-256 in hex, which signs plugin v1 callbacks; AES-256-GCM under APP_SECRET, bound to the row. */
    hashCipher: text("hash_cipher"),
    /** The key's SHA-256 in hex, in the clear: the form of earlier versions, kept only while one of them runs (ADR 26). */
    keyHash: text("key_hash"),
    /** The callback secret, AES-256-GCM under APP_SECRET with the row's id as additional data. */
    secretCipher: text("secret_cipher").notNull(),
    mustSign: boolean("must_sign").notNull().default(false),
    /** What its merchant hears of besides confirmed payments. */
    optIns: text("opt_ins").array().$type<OptInType[]>().notNull().default([]),
    createdAt: at("created_at").notNull(),
    lastUsedAt: at("last_used_at"),
    /** When the overlap after a rotation ends, or when the key was revoked: from then on it is dead. */
    endsAt: at("ends_at"),
    rotatedToId: text("rotated_to_id").references((): AnyPgColumn => apiKeys.id),
    /** The first of the keys that replaced one another by rotation; null: it is that itself. */
    firstId: text("first_id").references((): AnyPgColumn => apiKeys.id),
    /** What it may be used for. */
    scopes: text("scopes")
      .array()
      .$type<Scope[]>()
      .notNull()
      .default([...SCOPES]),
    /** Where it may come from; none: anywhere. */
    cidrs: text("cidrs").array().notNull().default([]),
    callbackFormat: text("callback_format").$type<KeyFormat>().notNull().default("standard"),
    /** Speaks for orders whose own key is dead, or that a person made. At most one of a merchant. */
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
 * The Ed25519 keys with which the installation signs callbacks besides the merchants' secrets. One signs, one is shown before it
 * does, and those that signed before are shown until `ends_at`.
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
 * The test value of APP_SECRET, at most one row: every process verifies it when it starts, and before it concludes that an address was
 * changed in the database.
 */
export const appSecretCheck = pgTable(
  "app_secret_check",
  {
    id: integer("id").primaryKey().default(1),
    /** A MAC under APP_SECRET, as of an address that does not exist. */
    mac: text("mac").notNull(),
    /** The same under the next secret, while APP_SECRET is being changed. */
    nextMac: text("next_mac"),
  },
  (t) => [check("app_secret_check_id_check", sql`${t.id} = 1`)],
);

/** A shop's settings of an integration that it enabled; the keys are in `plugin_keys`. */
export const plugins = pgTable(
  "plugins",
  {
    merchantId: text("merchant_id")
      .notNull()
      .references(() => merchants.id),
    integration: text("dialect").$type<IntegrationId>().notNull(),
    /** What its requests name it by: a pid, a store id. Random, and the same for ever. */
    publicId: text("public_id").notNull(),
    isOn: boolean("is_on").notNull(),
    /** Values of the settings that its integration declares; of those that are missing, the initial values apply. */
    settings: jsonb("settings").$type<SettingValues>().notNull().default({}),
    /** Read only by the version before `settings`, as is `expiration`. */
    takesKeyInUrl: boolean("takes_key_in_url").notNull().default(false),
    expiration: text("expiration").notNull().default("remaining"),
    /** ISO 4217 code of the prices that name none; null: they are numbers of tokens. */
    fiat: text("fiat").default(USUAL_FIAT),
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

/** The credential of a plugin. It authenticates and signs only requests of its integration. */
export const pluginKeys = pgTable(
  "plugin_keys",
  {
    id: text("id").notNull(),
    merchantId: text("merchant_id").notNull(),
    integration: text("dialect").$type<IntegrationId>().notNull(),
    /** For people. */
    label: text("label").notNull().default(""),
    /** Its first characters, for people. */
    shown: text("shown").notNull(),
    /** A key that both sides sign with, AES-256-GCM under APP_SECRET with the row's id as additional data. */
    keyCipher: text("key_cipher"),
    /** A token that is only shown: its SHA-256, hex. */
    tokenHash: text("token_hash"),
    /** The permissions of a token; none if the integration has no permissions. */
    permissions: text("permissions").array().notNull().default([]),
    createdAt: at("created_at").notNull(),
    /** When something came with it, written once a minute at most. */
    lastUsedAt: at("last_used_at"),
    /** When its overlap after a rotation ends, or when it was revoked: from then on it is dead. */
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

/** Addresses to which a plugin has news of its orders sent, where its integration has it name them apart from orders. */
export const pluginWebhooks = pgTable(
  "plugin_webhooks",
  {
    id: text("id").notNull(),
    merchantId: text("merchant_id").notNull(),
    integration: text("dialect").$type<IntegrationId>().notNull(),
    url: text("url").notNull(),
    /** What signs its deliveries, AES-256-GCM under APP_SECRET with the row's id as additional data. */
    secretCipher: text("secret_cipher").notNull(),
    /** The events that it receives, by the integration's names; none: all events. */
    events: text("events").array().notNull().default([]),
    isEnabled: boolean("is_enabled").notNull().default(true),
    /** Whether a delivery that failed is tried again. */
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

/** Ids of signed requests that were accepted: each counts once per key. */
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

/** Shared token buckets (GCRA): processes take tokens in batches, so a limit holds over all of them. */
export const rateLimits = pgTable(
  "rate_limits",
  {
    key: text("key").primaryKey(),
    /** Theoretical arrival time: when the bucket would be full again. */
    fullAt: at("full_at").notNull(),
  },
  (t) => [index("rate_limits_full_at_idx").on(t.fullAt)],
);

/** Whose an address is, on all networks of its family: whoever added it first, for ever. */
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

/** What gives a merchant's orders addresses of their own, derived ahead of orders: an extended public key, or a treasury that receivers pay. */
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
     * The key or the treasury's address, AES-256-GCM under APP_SECRET with the row's id as additional data: a key can spend nothing, and
     * shows all that came; a treasury that was changed behind the application's back does not open.
     */
    keyCipher: text("key_cipher").notNull(),
    /** SHA-256 of the key or treasury, hex, so that the same one is not added twice. */
    keyHash: text("key_hash").notNull(),
    label: text("label").notNull().default(""),
    /** Networks on which its addresses serve, all of its family; of receivers those alone that were tried. */
    networks: text("networks").array().notNull(),
    /** So many addresses are derived from it at most. */
    most: integer("most").notNull(),
    /** The index that is derived next; all before it were, or were skipped. */
    nextIndex: integer("next_index").notNull().default(0),
    /** The number of indexes that were skipped after restores, because lost orders may have got their addresses. */
    skipped: integer("skipped").notNull().default(0),
    /** When a signature of its first address showed that the account is the merchant's; null where it was compared by eye. */
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
    check("address_sources_most_check", sql`${t.most} between 1 and 10000 and ${t.nextIndex} >= 0`),
  ],
);

/**
 * The trial of a treasury's receivers on a network: a small amount arrives at its receiver 0, which serves no order, and is swept. Orders
 * get receivers there only afterwards.
 */
export const receiverTrials = pgTable(
  "receiver_trials",
  {
    merchantId: text("merchant_id").notNull(),
    sourceId: text("source_id").notNull(),
    network: text("network").notNull(),
    /** Receiver 0 and the treasury, as they were when somebody asked; whoever is shown them is shown what the source's seal gives. */
    receiver: text("receiver").notNull(),
    treasury: text("treasury").notNull(),
    askedAt: at("asked_at").notNull(),
    /** When the chain is looked at next; null once it was tried, or nobody seems to be trying any more. */
    lookAt: at("look_at"),
    /** Blocks up to here were looked through, and no reorg is expected below; null before the first look. */
    scannedHeight: height("scanned_height"),
    /** Whether the factory stood there at the last look; null before the first. */
    hasFactory: boolean("has_factory"),
    arrival: jsonb("arrival").$type<TrialTransfer>(),
    sweep: jsonb("sweep").$type<TrialTransfer>(),
    /** When both were final. */
    triedAt: at("tried_at"),
    /** The source's addresses before this index were added on this network. */
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
    /** Of the network: one address is the same account on all networks of a family. */
    family: text("family").$type<Family>().notNull(),
    /** Canonical form of the network's family (EVM: lower-case hex). */
    address: text("address").notNull(),
    kind: text("kind").$type<AddressKind>().notNull(),
    label: text("label").notNull().default(""),
    /** HMAC under APP_SECRET over merchant, network, kind and address; of a derived one also over what it was derived from, which it names. */
    mac: text("mac").notNull(),
    source: text("source").$type<AddressSource>().notNull().default("pasted"),
    /** What it was derived from, and at which index; null where it was pasted. */
    sourceId: text("source_id"),
    sourceIndex: integer("source_index"),
    createdAt: at("created_at").notNull(),
    pausedAt: at("paused_at"),
    /** Removed addresses stay watched and known; they get no new quotes. */
    removedAt: at("removed_at"),
    /** A dedicated address serves again from here on: its last quote and that quote's late window are over. */
    restsUntil: at("rests_until").notNull().default(sql`'epoch'`),
    /**
     * Until when a shared address of a restored dump offers only amounts that end in exactly so many nines, in millionths. At other times it
     * offers amounts that end in none. See db/dump/guard-lost-orders.ts.
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
    index("receiving_addresses_idle_idx")
      .on(t.merchantId, t.network, t.restsUntil)
      .where(sql`${t.kind} = 'dedicated' and ${t.pausedAt} is null and ${t.removedAt} is null`),
    // Those that served before have an end of their rest; the others follow in the order of their derivation.
    index("receiving_addresses_turn_idx")
      .on(t.merchantId, t.network, t.restsUntil, t.sourceIndex)
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
 * Addresses that stay with a customer of a merchant, one on each network that was asked for. It never served an order, and rests for
 * ever (`rests_until`); what comes there on any network of the family is the customer's.
 */
export const depositAddresses = pgTable(
  "deposit_addresses",
  {
    id: text("id").notNull(),
    merchantId: text("merchant_id")
      .notNull()
      .references(() => merchants.id),
    /** The merchant's own name for the customer. */
    customerRef: text("customer_ref").notNull(),
    network: text("network").notNull(),
    family: text("family").$type<Family>().notNull(),
    receivingAddressId: text("receiving_address_id").notNull(),
    address: text("address").notNull(),
    /** The key that asked for it: its deposits are told in its words. */
    apiKeyId: text("api_key_id").notNull(),
    notifyUrl: text("notify_url"),
    createdAt: at("created_at").notNull(),
    /** Rises whenever a transfer there comes, is confirmed or is taken back: open pages hear of it. */
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
 * Without foreign keys: whoever writes an order has just read the key and the merchant in the same statement, which nobody
 * deletes, and a check of each would cost as much as the order itself.
 */
export const orders = pgTable(
  "orders",
  {
    /** The public trade_id. */
    id: text("id").notNull(),
    merchantId: text("merchant_id").notNull(),
    apiKeyId: text("api_key_id"),
    mchOrderId: text("mch_order_id").notNull(),
    /** What the merchant asked for where network and currency are the payer's to choose; null where the merchant named both. */
    checkout: jsonb("checkout").$type<CheckoutTerms>(),
    /** As the merchant asked, or as the payer first chose; null until then. What a payer switched to is in the quotes alone. */
    network: text("network"),
    currency: text("currency").$type<Currency>(),
    /** Base units of that token: what is asked for. */
    amountUnits: units("amount_units"),
    /** The price in money of the world that this amount was counted from; null where the merchant named the amount. */
    price: jsonb("price").$type<OrderPrice>(),
    /** The quote that the API and the page show; null until the payer chose. */
    quoteId: text("quote_id"),
    status: text("status").$type<OrderStatus>().notNull(),
    exception: text("exception").$type<OrderException>(),
    /** Rises with every change that a payer or a merchant can see. */
    version: integer("version").notNull().default(1),
    /** Confirmed so far, in base units of the shown quote's token. */
    paidUnits: units("paid_units").notNull().default(sql`0`),
    /** The transfer that settled it. */
    settledByTransferId: text("settled_by_transfer_id"),
    notifyUrl: text("notify_url"),
    redirectUrl: text("redirect_url"),
    locale: text("locale"),
    /** For the payer, the receipt and lists. */
    subject: text("subject"),
    /** A JSON object as it stood in the request: any parser, jsonb too, would change it. */
    metadata: text("metadata"),
    /** In whose words it was asked for, and what those want to have back; null with the API's own. */
    integration: text("dialect").$type<OrderIntegration>().notNull().default("api"),
    echo: jsonb("echo").$type<Echo>(),
    expiresAt: at("expires_at").notNull(),
    /** How often its payer was given more time. */
    extensions: integer("extensions").notNull().default(0),
    /** Of a pending order only. Indexed instead of the status, so that the later moves of an order touch no index (HOT). */
    expiringAt: at("expiring_at").generatedAlwaysAs(sql`case when status = 'pending' then expires_at end`),
    createdAt: at("created_at").notNull(),
    changedAt: at("changed_at").notNull(),
    paidAt: at("paid_at"),
  },
  (t) => [
    primaryKey({ columns: [t.id, t.merchantId] }),
    // By bytes, so that it finds what begins with a text, too.
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

/** Numbers of orders that are deleted, or will be a minute after they were written here: they stay used for ever. */
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

/** What is held for an order, and until when: the reservation itself. Without foreign keys, as orders are. */
export const quotes = pgTable(
  "quotes",
  {
    merchantId: text("merchant_id").notNull(),
    orderId: text("order_id").notNull(),
    /** Of its own among the quotes of the order. */
    id: text("id").notNull(),
    receivingAddressId: text("receiving_address_id").notNull(),
    network: text("network").notNull(),
    family: text("family").$type<Family>().notNull(),
    currency: text("currency").$type<Currency>().notNull(),
    /** Canonical form of the token contract. */
    token: text("token").notNull(),
    address: text("address").notNull(),
    kind: text("kind").$type<AddressKind>().notNull(),
    baseUnits: units("base_units").notNull(),
    /** The same amount in millionths of the currency: what people compare, whatever decimals a network's token has. */
    microUnits: bigint("micro_units", { mode: "bigint" }).notNull(),
    /** What the order comes to in this token, and the price that was counted from: of a quote that its payer switched to; null: as the order has it. */
    askedUnits: units("asked_units"),
    price: jsonb("price").$type<OrderPrice>(),
    /** A hold takes transfers from two minutes before it was made, */
    createdAt: at("created_at").notNull(),
    /** to here: expiration_time + late window, or earlier where it settled its order. It may move only while it lasts. */
    reservedUntil: at("reserved_until").notNull(),
    /** When its amount (or its dedicated address) was given up, so that others may hold it; null before. */
    releasedAt: at("released_at"),
    /** Since when its order asks for something else: what comes for it counts by its value alone; null while it settles the order. */
    supersededAt: at("superseded_at"),
    /**
     * Whether another live quote held the same amount at the same address in another currency when the migration amounts_without_currency ran. Such quotes are
     * outside the unique index, and the reserving functions look at them separately. Always false for later quotes.
     */
    sharesAmount: boolean("shares_amount").notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.orderId, t.merchantId, t.id] }),
    // Without the currency: a transfer of the wrong token must not pay another order.
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
    // Quotes that a payer switched to: all others are found by their order's network.
    index("quotes_switched_idx").on(t.network).where(sql`${t.askedUnits} is not null and ${t.releasedAt} is null`),
    // The newest releases of a merchant: none may be later than a new hold.
    index("quotes_released_at_idx").on(t.merchantId, t.releasedAt).where(sql`${t.releasedAt} is not null`),
    index("quotes_reserved_until_idx").on(t.reservedUntil).where(sql`${t.releasedAt} is null`),
    check("quotes_kind_check", sql`${t.kind} in ('shared', 'dedicated')`),
    check("quotes_base_units_check", sql`${t.baseUnits} > 0`),
    check(
      "quotes_asked_check",
      sql`case when ${t.askedUnits} is null then ${t.price} is null else ${t.askedUnits} <= ${t.baseUnits} end`,
    ),
    // Two holds of one amount never take the same transfer: blocks may be stamped two minutes before a hold began.
    check(
      "quotes_released_check",
      sql`${t.releasedAt} is null or ${t.releasedAt} >= ${t.reservedUntil} + interval '2 minutes'`,
    ),
  ],
);

/**
 * What happened to a merchant's orders, hour by hour (UTC): the home page adds these up instead of a million orders.
 * `paid` … `paySeconds` stand in the hour of the payment, under the token it was made in; `converted` in the hour in which the
 * order was made, under the same token; `created` and `callbacks` under no token ('').
 */
export const hourlyTotals = pgTable(
  "hourly_totals",
  {
    merchantId: text("merchant_id").notNull(),
    hour: at("hour").notNull(),
    network: text("network").notNull(),
    currency: text("currency").notNull(),
    /** Orders made in this hour. */
    created: integer("created").notNull().default(0),
    /** Of those made in this hour, how many were paid at any time. */
    converted: integer("converted").notNull().default(0),
    /** Orders paid in this hour, and the confirmed base units of them, whenever those came. */
    paid: integer("paid").notNull().default(0),
    paidUnits: units("paid_units").notNull().default(sql`0`),
    /** Whole seconds from making to payment, summed over them. */
    paySeconds: bigint("pay_seconds", { mode: "number" }).notNull().default(0),
    /** Callbacks that were owed from this hour on. */
    callbacks: integer("callbacks").notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.hour, t.network, t.currency] })],
);

/**
 * Counts of orders and transfers of the whole installation, by hour, network and currency. Rows are only added, by the transaction that changes
 * an order and in the same transaction, so that no two of them wait for each other; the worker merges rows of one key. Hours older
 * than five weeks are merged into one at the Unix epoch.
 */
export const outcomeCounts = pgTable("outcome_counts", {
  id: bigserial("id", { mode: "bigint" }).primaryKey(),
  hour: at("hour").notNull(),
  /** Empty where the payer has chosen none. */
  network: text("network").notNull(),
  currency: text("currency").notNull(),
  outcome: text("outcome").$type<Outcome>().notNull(),
  count: integer("count").notNull(),
});

/** The last report of each machine of the installation: its disks, its newest dump, the certificate that it saw. */
export const machineReports = pgTable("machine_reports", {
  machine: text("machine").primaryKey(),
  report: jsonb("report").$type<MachineReport>().notNull(),
  reportedAt: at("reported_at").notNull(),
});

/** Conditions that the operator is alerted about, from the first time that they were found until they are over. */
export const operatorAlerts = pgTable(
  "operator_alerts",
  {
    condition: text("condition").$type<AlertCondition>().notNull(),
    /** The subject: a network, a merchant, a machine's folder. */
    subject: text("subject").notNull(),
    foundAt: at("found_at").notNull(),
    /** When it had lasted long enough; null before. */
    startedAt: at("started_at"),
    /** When a message about it was last put into the outbox. */
    toldAt: at("told_at"),
  },
  (t) => [primaryKey({ columns: [t.condition, t.subject] })],
);

/** Messages to the operator, until each is sent or too old. */
export const operatorMessages = pgTable(
  "operator_messages",
  {
    id: text("id").primaryKey(),
    way: text("way").$type<"email" | "telegram">().notNull(),
    title: text("title").notNull(),
    text: text("text").notNull(),
    createdAt: at("created_at").notNull(),
    /** When it is tried next; while it is being sent, the end of its lease. */
    dueAt: at("due_at").notNull(),
    attempts: integer("attempts").notNull().default(0),
  },
  (t) => [index("operator_messages_due_idx").on(t.dueAt)],
);

/** When the conditions were last evaluated, by whichever process; one row. */
export const operatorRounds = pgTable("operator_rounds", {
  name: text("name").$type<"alerts">().primaryKey(),
  evaluatedAt: at("evaluated_at").notNull(),
});

/** How far the worker has counted a table into the hourly totals, by its time-ordered ids. */
export const totalCursors = pgTable("total_cursors", {
  counted: text("counted").$type<"orders" | "callbacks">().primaryKey(),
  lastId: text("last_id").notNull(),
});

/**
 * The transaction that the payer of an order named last, once for each network on which it may be: the network's worker looks it up.
 * Without foreign keys, as orders are, and deleted with them.
 */
export const lookups = pgTable(
  "lookups",
  {
    merchantId: text("merchant_id").notNull(),
    orderId: text("order_id").notNull(),
    network: text("network").notNull(),
    txId: text("tx_id").notNull(),
    askedAt: at("asked_at").notNull(),
    /** Null until somebody looked. */
    answer: jsonb("answer").$type<LookupAnswer>(),
  },
  (t) => [
    primaryKey({ columns: [t.orderId, t.merchantId, t.network] }),
    index("lookups_open_idx").on(t.network, t.askedAt).where(sql`${t.answer} is null`),
  ],
);

/** Unused: amounts are found in the unique index of quotes (ADR 32). Workers of the previous version clear bits in it; the next release drops the table. */
export const amountBitmaps = pgTable(
  "amount_bitmaps",
  {
    merchantId: text("merchant_id").notNull(),
    family: text("family").$type<Family>().notNull(),
    address: text("address").notNull(),
    /** Millionths divided by 10,000. */
    windowNumber: bigint("window_number", { mode: "number" }).notNull(),
    /** 1 = held; the first bit is the lowest amount of the range. */
    held: bit("held", { dimensions: 10_000 }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.family, t.address, t.windowNumber] })],
);

/** Unused since the migration amounts_without_currency. Workers of an earlier version clear bits in it; the next release drops the table. */
export const amountWindows = pgTable(
  "amount_windows",
  {
    merchantId: text("merchant_id").notNull(),
    address: text("address").notNull(),
    currency: text("currency").$type<Currency>().notNull(),
    family: text("family").$type<Family>().notNull(),
    /** Millionths of the currency divided by 10,000. */
    windowNumber: bigint("window_number", { mode: "number" }).notNull(),
    /** 1 = taken; the first bit is the window's lowest amount. */
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
    /** Null where the token is a look-alike, which pays nothing. */
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
    /** Set when a quote asked for it, or when a person assigned it. */
    quoteId: text("quote_id"),
    orderId: text("order_id"),
    /** The deposit address that it came to, where that stood already; no order has it then. */
    depositId: text("deposit_id"),
    isAssigned: boolean("is_assigned").notNull().default(false),
    /**
     * The one open order that asks for exactly this amount at this address, but in another currency or on another network:
     * its payer is told. Null where none does, or several.
     */
    meantOrderId: text("meant_order_id"),
    /** It came from another of the merchant's own derived addresses or receivers: it was swept, and pays nothing. */
    isSweep: boolean("is_sweep").notNull().default(false),
    /** Null until it is matched, and where it is. */
    unmatchedReason: text("unmatched_reason").$type<UnmatchedReason>(),
    /** When a user unlinked it from an order: since then it is never matched automatically. Null if no user did. */
    unlinkedAt: at("unlinked_at"),
    /** Null until the matcher looked at it. */
    matchedAt: at("matched_at"),
    seenAt: at("seen_at").notNull(),
    confirmedAt: at("confirmed_at"),
    /** Confirmations it had when it was confirmed. */
    confirmations: integer("confirmations"),
    /** What endpoints say of it that contradict each other: it waits for them, or for a person; null while they do not. */
    contradiction: jsonb("contradiction").$type<Contradiction>(),
    /** When a reorg took it back although it was confirmed; null while the chain has it. */
    lostAt: at("lost_at"),
    /** When a person of the merchant said that they know. */
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
 * Transactions with which a merchant says that a transfer was sent back, as the chain shows them. They move no order. `base_units` is
 * what counts of this transfer, `moved_units` what the transaction brought its receiver in all.
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
    /** What the last look came to; null before the first. */
    said: text("said").$type<RefundSays>(),
    /** When it is looked at next; null once that is over. */
    lookAt: at("look_at"),
    toAddress: text("to_address"),
    movedUnits: units("moved_units"),
    baseUnits: units("base_units"),
    /** The time of its block. */
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
 * What receiving addresses hold of each token, as their chain said when somebody last asked, and what the ledger had brought there up to
 * that height.
 */
export const addressBalances = pgTable(
  "address_balances",
  {
    merchantId: text("merchant_id").notNull(),
    network: text("network").notNull(),
    address: text("address").notNull(),
    /** Canonical form of the token contract, or `COIN`. */
    token: text("token").notNull(),
    currency: text("currency").$type<Currency | typeof COIN_NAME>().notNull(),
    /** When somebody asked last; the worker looks while `is_due`. */
    askedAt: at("asked_at").notNull(),
    isDue: boolean("is_due").notNull(),
    /** What the last look came to, and when; null before the first. */
    said: text("said").$type<BalanceSays>(),
    triedAt: at("tried_at"),
    /** What endpoints said that contradict each other. */
    contradiction: jsonb("contradiction").$type<readonly BalanceSaid[]>(),
    /** The last balance that was read, after which block, and when; null before one was. */
    balanceUnits: units("balance_units"),
    height: height("height"),
    readAt: at("read_at"),
    /** What the ledger had brought there up to that block, and what was noted as sent back; null until it is read so far. */
    inUnits: units("in_units"),
    backUnits: units("back_units"),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.network, t.address, t.token] }),
    index("address_balances_due_idx").on(t.network, t.askedAt).where(sql`${t.isDue}`),
    index("address_balances_uncounted_idx")
      .on(t.network, t.height)
      .where(sql`${t.readAt} is not null and ${t.inUnits} is null`),
    check("address_balances_said_check", sql`${t.said} in ('read', 'silent', 'unknown', 'contradicted')`),
    check("address_balances_read_check", sql`num_nulls(${t.balanceUnits}, ${t.height}, ${t.readAt}) in (0, 3)`),
    check("address_balances_counted_check", sql`num_nulls(${t.inUnits}, ${t.backUnits}) in (0, 2)`),
  ],
);

/**
 * Orders and transfers that the worker could not take a step further, each kept apart so that it holds up no other: tried
 * again at `retryAt`, forgotten once it works.
 */
export const failingRows = pgTable(
  "failing_rows",
  {
    task: text("task").$type<FailingTask>().notNull(),
    /** Of the transfer, or of the one that is refunded; of the order where the task is to expire it, of the quote where it is to release what that holds. */
    id: text("id").notNull(),
    merchantId: text("merchant_id")
      .notNull()
      .references(() => merchants.id),
    /** Empty for an order whose payer has not chosen one. */
    network: text("network").notNull(),
    /** In a row. */
    failures: integer("failures").notNull(),
    firstFailedAt: at("first_failed_at").notNull(),
    retryAt: at("retry_at").notNull(),
    /** The kind of error, without anything of the row. */
    reason: text("reason").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.task, t.id, t.merchantId] }),
    index("failing_rows_merchant_id_idx").on(t.merchantId),
    check("failing_rows_task_check", sql`${t.task} in ('match', 'confirm', 'expire', 'release', 'refund')`),
  ],
);

/** How a merchant's payment pages look, and which sites may show them in a frame; no row: as they are without settings. */
export const merchantCheckouts = pgTable(
  "merchant_checkouts",
  {
    merchantId: text("merchant_id")
      .primaryKey()
      .references(() => merchants.id),
    /** Rises with every change: what was rendered before it is old. */
    version: integer("version").notNull(),
    /** What payers read instead of the merchant's own name. */
    shownName: text("shown_name"),
    /** "#1a2b3c" */
    accent: text("accent"),
    /** https: or mailto: */
    supportUrl: text("support_url"),
    /** Origins whose pages may show a payment page in a frame. */
    frameParents: text("frame_parents").array().notNull().default([]),
    /** Tags of the languages that the page offers; none: all that it has. */
    languages: text("languages").array().notNull().default([]),
    /** Where the logo was fetched from, once. */
    logoUrl: text("logo_url"),
    /** A small square WebP, base64. */
    logo: text("logo"),
    updatedAt: at("updated_at").notNull(),
  },
  (t) => [
    check("merchant_checkouts_accent_check", sql`${t.accent} ~ '^#[0-9a-f]{6}$'`),
    check("merchant_checkouts_logo_check", sql`num_nonnulls(${t.logo}, ${t.logoUrl}) in (0, 2)`),
    check("merchant_checkouts_logo_size_check", sql`length(${t.logo}) <= 2048`),
  ],
);

/** What a merchant wants otherwise than a network has it; no row: as the network has it. */
export const merchantNetworks = pgTable(
  "merchant_networks",
  {
    merchantId: text("merchant_id")
      .notNull()
      .references(() => merchants.id),
    network: text("network").notNull(),
    /** A transfer needs at least so many confirmations, besides being final by the network's own rule; or it is waited for: */
    minConfirmations: integer("min_confirmations"),
    /** so many seconds, by block time. */
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

/** How a merchant has prices in a currency of the world counted; no row: by the market, and none was ever asked for. */
export const merchantPrices = pgTable(
  "merchant_prices",
  {
    merchantId: text("merchant_id")
      .notNull()
      .references(() => merchants.id),
    /** ISO 4217 code. */
    fiat: text("fiat").notNull(),
    mode: text("mode").$type<PriceSetting["mode"]>().notNull(),
    markUpBasisPoints: integer("mark_up_basis_points").notNull().default(0),
    /** What one token costs, in units of 10^-12; with the market what counts while nobody can say. */
    fixedRate: units("fixed_rate"),
    /** When a person set it; null where it is here only because a price was asked for. */
    setAt: at("set_at"),
    /** When a price was last asked for or set, to the day: the market is read for those of the last month. */
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

/** How each source of rates behaves, and which worker reads it. What a source is stands in lib/domain/rates/sources.ts. */
export const rateSources = pgTable("rate_sources", {
  source: text("source").primaryKey(),
  /** The currencies that were asked for last, comma-separated: others are asked for at once. */
  askedFor: text("asked_for").notNull(),
  /** When it is read again. */
  nextAt: at("next_at").notNull(),
  leaseOwner: text("lease_owner"),
  leaseUntil: at("lease_until"),
  /** When it last gave a number. */
  answeredAt: at("answered_at"),
  /** The reason why the last request gave no rate; null when it gave one. */
  failure: recordedProblem("failure"),
  /** What of it is left out, for it is too far from the others, in words; null when nothing is. */
  warning: text("warning"),
});

/** What each source said last. */
export const rateReadings = pgTable(
  "rate_readings",
  {
    source: text("source").notNull(),
    /** A token's symbol, or an ISO 4217 code. */
    asset: text("asset").notNull(),
    fiat: text("fiat").notNull(),
    /** What one of `asset` costs, in units of 10^-12. */
    rate: units("rate").notNull(),
    /** When it was read; earlier where the source says of when it is. */
    at: at("at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.source, t.asset, t.fiat] })],
);

/** Hashes of scanned blocks back to the deepest that anybody waits for: the evidence for reorgs. */
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

/** One row per network: how far it is read, who reads it, and how it is. */
export const cursors = pgTable(
  "cursors",
  {
    network: text("network").primaryKey(),
    /** Everything up to and including this block is in the ledger; null before the first scan. */
    height: height("height"),
    hash: text("hash"),
    /** Of that block. Before the first scan of a network that was closed: the time from which its first scan must read. */
    blockTime: at("block_time"),
    headHeight: height("head_height"),
    headTime: at("head_time"),
    finalizedHeight: height("finalized_height"),
    /** Milliseconds between blocks, as they were measured last; null before. */
    blockMs: integer("block_ms"),
    /** When the cursor last reached the head. */
    caughtUpAt: at("caught_up_at"),
    /** When the node was last heard. */
    heardAt: at("heard_at"),
    /** Why this network takes no new orders, in words; null when it is fine. */
    problem: text("problem"),
    /** What of it is left out, though it takes orders, in words; null when nothing is. */
    warning: text("warning"),
    /** How the worker's endpoints behave, in the order they are configured. */
    endpoints: jsonb("endpoints").$type<EndpointHealth[]>().notNull().default([]),
    /** What a unit of gas cost, in the smallest unit of the network's coin, when somebody wanted to know last. */
    gasPrice: units("gas_price"),
    gasPriceAt: at("gas_price_at"),
    /** How closely it is watched. */
    watchState: text("watch_state").$type<WatchState>().notNull().default("awake"),
    leaseOwner: text("lease_owner"),
    leaseUntil: at("lease_until"),
    /** When an operator closed the network; null while it is open. */
    closedAt: at("closed_at"),
    /** The operator's email address, or `COMMAND_LINE`; null while the network is open. */
    closedBy: text("closed_by"),
    /** The operator's reason, empty if none was given; null while the network is open. */
    closeReason: text("close_reason"),
  },
  (t) => [check("cursors_closed_check", sql`num_nulls(${t.closedAt}, ${t.closedBy}, ${t.closeReason}) in (0, 3)`)],
);

/** Calls that left to an endpoint on a day (UTC), counted by the worker and written down every few seconds. */
export const endpointCalls = pgTable(
  "endpoint_calls",
  {
    network: text("network").notNull(),
    /** Its name: host, and number where one host serves several. */
    endpoint: text("endpoint").notNull(),
    day: date("day", { mode: "string" }).notNull(),
    calls: bigint("calls", { mode: "number" }).notNull(),
    /** Failed ones among them, and answers that did not stand up. */
    errors: bigint("errors", { mode: "number" }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.network, t.endpoint, t.day] })],
);

/** How far the history of a watched token account is read, where a network is read by accounts (Solana). */
export const accountCursors = pgTable(
  "account_cursors",
  {
    network: text("network").notNull(),
    account: text("account").notNull(),
    /** Everything of it up to and including this slot is in the ledger, or is older than the watch. */
    slot: height("slot").notNull(),
  },
  (t) => [primaryKey({ columns: [t.network, t.account] })],
);

/**
 * Transactions that moved something on a watched account and that no endpoint can show in a form that is understood: kept
 * for a person, and tried again until they can be read.
 */
export const unreadableTransactions = pgTable(
  "unreadable_transactions",
  {
    merchantId: text("merchant_id").notNull(),
    network: text("network").notNull(),
    txId: text("tx_id").notNull(),
    /** The token account whose history names it. */
    account: text("account").notNull(),
    receivingAddressId: text("receiving_address_id").notNull(),
    slot: height("slot").notNull(),
    /** What the endpoints say, in words. */
    reason: text("reason").notNull(),
    firstSeenAt: at("first_seen_at").notNull(),
    triedAt: at("tried_at").notNull(),
    /** When it could be read after all, or was gone from the chain; null while it waits. */
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
 * What happened to an order, in the words that merchants read: listed for a merchant in the order of `number`, and delivered by a
 * callback where there is somewhere to. One of each type for each change of an order.
 */
export const events = pgTable(
  "events",
  {
    /** evt_ + id */
    id: text("id").notNull(),
    merchantId: text("merchant_id").notNull(),
    /** Null where it is about a deposit. */
    orderId: text("order_id"),
    /** The deposit address and the transfer that it is about; null where it is about an order. */
    depositId: text("deposit_id"),
    transferId: text("transfer_id"),
    type: text("type").$type<CallbackType>().notNull(),
    /** Of the order, after the change; of a deposit, by its own events. */
    version: integer("version").notNull(),
    /** The exact bytes of the standard format. */
    body: text("body").notNull(),
    /** As it was written: changes of one order follow one another. */
    position: bigserial("position", { mode: "bigint" }).notNull(),
    /** Its place among the merchant's events, given after it was committed; null until it is listed. */
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

/** The last number that an event of a merchant was given. */
export const eventCounters = pgTable("event_counters", {
  merchantId: text("merchant_id").primaryKey(),
  last: bigint("last", { mode: "number" }).notNull(),
});

export const callbacks = pgTable(
  "callbacks",
  {
    /** Of its event: the webhook-id of every attempt. */
    id: text("id").notNull(),
    merchantId: text("merchant_id").notNull(),
    /** Null where it is about a deposit. */
    orderId: text("order_id"),
    /** The deposit address that it is about; null where it is about an order. */
    depositId: text("deposit_id"),
    type: text("type").$type<CallbackType>().notNull(),
    url: text("url").notNull(),
    /** scheme://host:port of the url: deliveries are limited and take turns by it. */
    origin: text("origin").notNull(),
    /** The exact bytes that every attempt sends. */
    body: text("body").notNull(),
    /** Whose webhook it is for; null: for the order's own address. */
    webhookId: text("webhook_id"),
    /** What the body is written in, and what acknowledges it. */
    format: text("format").$type<CallbackFormat>().notNull().default("standard"),
    status: text("status").$type<"pending" | "delivered" | "failed">().notNull(),
    attempts: integer("attempts").notNull().default(0),
    /** Attempts of the current series; a resend begins a new one. */
    seriesAttempts: integer("series_attempts").notNull().default(0),
    /** While an attempt is under way: the end of its lease, when another sender may take it over. */
    nextAttemptAt: at("next_attempt_at"),
    leaseOwner: text("lease_owner"),
    /** Null while nobody is sending it. */
    leaseUntil: at("lease_until"),
    lastHttpStatus: integer("last_http_status"),
    deliveredAt: at("delivered_at"),
    createdAt: at("created_at").notNull(),
    /** Why it could not be signed when it was tried last; null when it could. */
    unsignedReason: text("unsigned_reason").$type<UnsignedReason>(),
    /** Since when it could not be signed; null when it could. */
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
    index("callbacks_failed_idx").on(t.merchantId, t.createdAt).where(sql`${t.status} = 'failed'`),
    check("callbacks_status_check", sql`${t.status} in ('pending', 'delivered', 'failed')`),
    check("callbacks_next_attempt_check", sql`(${t.status} = 'pending') = (${t.nextAttemptAt} is not null)`),
  ],
);

/** Partitioned by month (`started_at`): what only grows goes month by month. */
export const callbackAttempts = pgTable(
  "callback_attempts",
  {
    merchantId: text("merchant_id").notNull(),
    callbackId: text("callback_id").notNull(),
    number: integer("number").notNull(),
    startedAt: at("started_at").notNull(),
    durationMs: integer("duration_ms").notNull(),
    /** How long each stage took; null where the attempt did not get so far, or had no need of it. */
    dnsMs: integer("dns_ms"),
    connectMs: integer("connect_ms"),
    tlsMs: integer("tls_ms"),
    firstByteMs: integer("first_byte_ms"),
    httpStatus: integer("http_status"),
    /** The reason why there is no HTTP status. */
    error: recordedProblem("error"),
    /** The first 1 KiB of the answer. */
    answer: text("answer"),
    /** The IP address that was connected to. */
    peer: text("peer"),
  },
  (t) => [primaryKey({ columns: [t.callbackId, t.merchantId, t.number, t.startedAt] })],
);

/** Deliveries to an origin that keeps failing are paused and probed. */
export const callbackOrigins = pgTable("callback_origins", {
  origin: text("origin").primaryKey(),
  /** In a row; attempts that ran side by side count once. */
  failures: integer("failures").notNull().default(0),
  /** Set with every counted failure: nothing is claimed before, and failures of attempts begun before do not count again. */
  pausedUntil: at("paused_until"),
  /** When a delivery to it was last claimed: the claim takes origins in turn. */
  servedAt: at("served_at"),
});

/** What happened, by whom, append-only: people's actions and every move of an order. Partitioned by month (`at`). */
export const auditEvents = pgTable(
  "audit_events",
  {
    id: text("id").notNull(),
    merchantId: text("merchant_id").notNull(),
    /** Null when the service itself acted. */
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

/** Where a person hears of a shop: gone with their membership. */
export const notificationChannels = pgTable(
  "notification_channels",
  {
    id: text("id").notNull(),
    merchantId: text("merchant_id").notNull(),
    userId: text("user_id").notNull(),
    way: text("way").$type<Way>().notNull(),
    /** For people: the e-mail address, the chat's id, the webhook's host. */
    shown: text("shown").notNull(),
    /** Where to, with what it takes to get in, as JSON, AES-256-GCM under APP_SECRET with the row's id as additional data. */
    targetCipher: text("target_cipher").notNull(),
    /** What it is written in. */
    language: text("language").notNull(),
    /** IANA name: whose days and hours the daily report goes by. */
    timeZone: text("time_zone").notNull(),
    /** At which hour of the day there the daily report is owed. */
    reportHour: integer("report_hour").notNull(),
    /** SHA-256 of the code that was sent there, hex; null once it was typed. */
    codeHash: text("code_hash"),
    codeExpiresAt: at("code_expires_at"),
    /** Nothing is owed before. */
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

/** What is told by which channel. */
export const notificationChoices = pgTable(
  "notification_choices",
  {
    merchantId: text("merchant_id").notNull(),
    channelId: text("channel_id").notNull(),
    kind: text("kind").$type<NotificationKind>().notNull(),
    /** What happened before is not told. */
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

/** What is owed to a channel, and what became of it: each fact once. */
export const notifications = pgTable(
  "notifications",
  {
    id: text("id").notNull(),
    merchantId: text("merchant_id").notNull(),
    channelId: text("channel_id").notNull(),
    kind: text("kind").$type<NotificationKind>().notNull(),
    /** Names the fact among those of its kind. */
    factKey: text("fact_key").notNull(),
    /** What the message is made of; holds no secrets. */
    facts: jsonb("facts").$type<Record<string, unknown>>().notNull(),
    createdAt: at("created_at").notNull(),
    /** When it is tried next; while a message is under way, the end of its lease. Null once it is sent or given up. */
    dueAt: at("due_at"),
    /** Of the message that tells it, maybe with others of its kind: the same at every attempt. Null before the first. */
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

/** Mails that are owed to people themselves, whatever shops they belong to: gone once they are sent, given up or too late. */
export const accountLetters = pgTable(
  "account_letters",
  {
    id: text("id").primaryKey(),
    kind: text("kind").$type<AccountLetterKind>().notNull(),
    /** Lower case: as it was typed by whoever asks for a link, known here or not; else the person's. */
    email: text("email").notNull(),
    /** What the mail is made of; holds no secrets. */
    facts: jsonb("facts").$type<Record<string, unknown>>().notNull(),
    language: text("language").notNull(),
    createdAt: at("created_at").notNull(),
    /** When it is tried next; while it is under way, the end of its lease. */
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

/** Up to when what happened was looked at for notifications, over all merchants; one row. */
export const notificationCursors = pgTable("notification_cursors", {
  name: text("name").$type<"news">().primaryKey(),
  readTo: at("read_to").notNull(),
});
