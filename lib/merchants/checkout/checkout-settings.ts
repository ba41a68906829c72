import type { Db } from "@/db/client";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import {
  type CheckoutSettings,
  findCheckoutSettings,
  lockCheckoutSettings,
  writeCheckoutSettings,
} from "@/db/queries/merchants/checkout-settings";
import { type Brand, type BrandTerms, brandOf, PLAIN_BRAND } from "@/lib/domain/checkout/brand";
import { type FieldError, type Problem, problem, refuse } from "@/lib/domain/problems/problem";
import type { RequestOrigin } from "@/lib/domain/users/request-origin";
import { encodeLogo, LOGO_LIMITS } from "@/lib/merchants/checkout/encode-logo";
import { guardedGetBytes } from "@/lib/outbound/guarded-get";
import type { OutboundOptions } from "@/lib/outbound/guarded-post";

interface Change extends BrandTerms {
  merchantId: string;
  userId: string;
  from?: RequestOrigin | undefined;
  /** True to fetch the logo again even if its URL has not changed. */
  isLogoNew: boolean;
}

interface Logo {
  logoUrl: string | null;
  logo: string | null;
}

/** The options for fetching logos with the same client as callbacks. */
export interface LogoFetching extends OutboundOptions {
  /** "Stablegate/1.2.3" */
  userAgent: string;
}

const IMAGES = "image/webp, image/png, image/jpeg, image/gif";
const LIMITS = { headersMs: 5_000, totalMs: 10_000, maxReadBytes: LOGO_LIMITS.bytes };

/** Returns a merchant's current brand. The name is null if it is the merchant's own name; the logo is a WebP image in base64. */
export async function findBrand(
  db: Db,
  merchantId: string,
): Promise<{ brand: Brand; shownName: string | null; logo: string | null }> {
  const row = await findCheckoutSettings(db, merchantId);
  if (!row) return { brand: PLAIN_BRAND, shownName: null, logo: null };
  const { shownName, logo } = row;
  return { brand: brandOf({ ...row, hasLogo: logo !== null }), shownName, logo };
}

/** Changes the appearance of a merchant's payment pages, and the sites that may embed them. A new logo is fetched once, immediately. */
export async function changeCheckout(
  db: Db,
  fetching: LogoFetching,
  { merchantId, userId, from, isLogoNew, ...terms }: Change,
  now: Date,
): Promise<true | { errors: FieldError[] }> {
  const known = await findCheckoutSettings(db, merchantId);
  const isKept = terms.logoUrl === (known?.logoUrl ?? null) && !isLogoNew;
  const fetched = isKept ? null : await fetchLogo(terms.logoUrl, fetching);
  if (fetched && "problem" in fetched) return refuse("logoUrl", fetched.problem);
  return db.transaction(async (tx) => {
    const before = await lockCheckoutSettings(tx, merchantId);
    if (!fetched && terms.logoUrl !== (before?.logoUrl ?? null)) return refuse("logoUrl", problem("logo_changed"));
    const logo = fetched ?? { logoUrl: terms.logoUrl, logo: before?.logo ?? null };
    await writeCheckoutSettings(tx, { merchantId, ...terms, ...logo }, now);
    const detail = { before: before && messageOf(before), after: messageOf(terms), isLogoFetched: logo.logo !== null };
    await insertAuditEvent(tx, { merchantId, userId, from, action: "checkout.changed", detail }, now);
    return true;
  });
}

interface ContactChange extends Pick<Change, "merchantId" | "userId" | "from"> {
  /** An https: or mailto: URL. */
  supportUrl: string;
}

/** Changes only the contact that payment pages show, and keeps all other settings of their appearance. */
export async function changeContact(db: Db, { merchantId, userId, from, supportUrl }: ContactChange, now: Date) {
  await db.transaction(async (tx) => {
    const before = await lockCheckoutSettings(tx, merchantId);
    const { shownName, accent, frameParents, languages, logoUrl, logo } = before ?? NO_SETTINGS;
    const terms = { shownName, accent, supportUrl, frameParents, languages, logoUrl };
    await writeCheckoutSettings(tx, { merchantId, ...terms, logo }, now);
    const detail = { before: before && messageOf(before), after: messageOf(terms), isLogoFetched: logo !== null };
    await insertAuditEvent(tx, { merchantId, userId, from, action: "checkout.changed", detail }, now);
  });
}

const NO_SETTINGS = { shownName: null, accent: null, frameParents: [], languages: [], logoUrl: null, logo: null };

async function fetchLogo(
  logoUrl: string | null,
  { userAgent, ...options }: LogoFetching,
): Promise<Logo | { problem: Problem }> {
  if (logoUrl === null) return { logoUrl, logo: null };
  const answer = await guardedGetBytes(
    logoUrl,
    { userAgent, accept: IMAGES },
    { ...options, limits: { ...LIMITS, ...options.limits } },
  );
  if (answer.kind === "failed") return { problem: problem("logo_unreachable", { reason: answer.error }) };
  const encoded = await encodeLogo(answer.bytes);
  if ("problem" in encoded) return { problem: problem("logo_unusable", { problem: encoded.problem }) };
  return { logoUrl, logo: encoded.webp.toString("base64") };
}

function messageOf({ shownName, accent, supportUrl, frameParents, languages, logoUrl }: BrandTerms | CheckoutSettings) {
  return { shownName, accent, supportUrl, frameParents, languages, logoUrl };
}
