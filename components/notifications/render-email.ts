import { createTranslator } from "use-intl/core";
import { MESSAGES } from "@/components/messages/all";
import type { en } from "@/components/messages/en";
import { problems as es } from "@/components/messages/es/problems";
import { LANGUAGES, type LanguageId, languageOf } from "@/components/messages/languages";
import { problems as ru } from "@/components/messages/ru/problems";
import type { Translate } from "@/components/messages/translate";
import { problems as zh } from "@/components/messages/zh/problems";
import { type AuditAction, subjectOf } from "@/lib/domain/audit/audit";
import { formatUnits } from "@/lib/domain/money";
import { findNetwork, findToken } from "@/lib/domain/networks";
import { refusalReason } from "@/lib/domain/networks/refusal";
import type { SecurityFact } from "@/lib/domain/notifications/account-email";
import type { Fact, FactAmount, FactsOf, NotificationKind } from "@/lib/domain/notifications/notification";
import { english } from "@/lib/domain/problems/english";
import { writeProblem } from "@/lib/domain/problems/problem";
import { escapeXml } from "@/lib/domain/reports";

/** The content of a message: facts of one kind, a test, or a code. */
export type NotificationContent =
  | { type: "facts"; kind: NotificationKind; facts: readonly Fact[] }
  | { type: "test" }
  | { type: "code"; code: string };

interface Reader {
  /** A language of the back office; any other value selects English. */
  language: string;
  shop: string;
  unsubscribeUrl: string | null;
}

/** The sentences of problems that are not in English. */
const SENTENCES: Readonly<Record<LanguageId, Partial<typeof zh>>> = { en: {}, zh, es, ru };
/** The maximum number of facts that are listed individually. */
const MAX_LINES = 10;
/** The page of the back office for each kind. */
const PATHS: Record<NotificationKind, string> = {
  orderPaid: "/orders",
  moneyUnmatched: "/transfers",
  paymentReversed: "/transfers",
  callbackFailing: "/orders",
  networkTrouble: "",
  endpointsContradict: "/transfers",
  signedIn: "/settings/security",
  addressTampered: "/settings/addresses",
  securityChanged: "/settings/security",
  dailyReport: "",
};

type Text = Translate<"emails"> & ((actionText: `action.${AuditAction}`) => string);

/** A language and the translation function for it. */
interface Translator {
  locale: LanguageId;
  t: Text;
}

/**
 * Returns the locale and the translation function for emails in a language of the back office, or in English if the language is not
 * supported.
 */
function translatorFor(language: string): Translator {
  const locale = languageOf(language) ?? LANGUAGES[0].id;
  const { emails, auditActions } = MESSAGES[locale] as typeof en;
  const messages = { emails: { ...emails, action: auditActions } };
  return {
    locale,
    t: createTranslator({ locale, messages, namespace: "emails", timeZone: "UTC" }) as unknown as Text,
  };
}

/**
 * Renders a notification in the recipient's language: as text for chats, and as an email in plain text and HTML.
 * @param publicUrl the URL of the installation, without a trailing slash
 */
export function renderNotification(
  publicUrl: string,
  content: NotificationContent,
  { language, shop, unsubscribeUrl }: Reader,
) {
  const { locale, t } = translatorFor(language);
  const { title, lines, path } = bodyOf({ locale, t }, content, shop);
  const link = path === null ? null : { url: `${publicUrl}/dashboard${path}`, text: t("open") };
  const foot = unsubscribeUrl === null ? null : { why: t("why", { shop }), stop: t("stop"), url: unsubscribeUrl };
  const paragraphs = [...lines, ...(link ? [`${link.text}: ${link.url}`] : [])];
  const subject = t("subject", { shop, title });
  return {
    title: oneLine(subject),
    text: [subject, ...paragraphs].join("\n"),
    mailText: `${[title, "", ...paragraphs, ...(foot ? ["", "-- ", foot.why, `${foot.stop}: ${foot.url}`] : [])].join("\n")}\n`,
    mailHtml: htmlOf({ locale, shop, title, lines, link, foot }),
  };
}

function endpointErrorLine(locale: LanguageId, facts: FactsOf["networkTrouble"]): string {
  const reason = "refusal" in facts ? refusalReason(facts.refusal) : facts.problem;
  return typeof reason === "string" ? reason : writeProblem({ ...english, ...SENTENCES[locale] }, reason);
}

/** The content of an email to a user: a password reset link, or changes to the security of their account or shop. */
export type AccountFact =
  | { type: "passwordReset"; url: string; from: string }
  | { type: "securityChanged"; facts: readonly SecurityFact[] };

/**
 * Renders an email to an individual user, in the user's language, as plain text and HTML.
 * @param publicUrl the URL of the installation, without a trailing slash
 */
export function renderAccountEmail(
  publicUrl: string,
  content: AccountFact,
  { language, email }: { language: string; email: string },
) {
  const { locale, t } = translatorFor(language);
  const { title, lines, link } = accountBody(t, publicUrl, content, email);
  const text = [title, "", ...lines, ...(link ? [`${link.text}: ${link.url}`] : [])].join("\n");
  const mailHtml = htmlOf({ locale, shop: "Stablegate", title, lines, link, foot: null });
  return { title: oneLine(title), text, mailText: `${text}\n`, mailHtml };
}

function accountBody(t: Text, publicUrl: string, content: AccountFact, email: string) {
  if (content.type === "passwordReset") {
    const link = { url: content.url, text: t("account.resetButton") };
    const lines = [t("account.resetText", { email, from: content.from }), t("account.resetElse")];
    return { title: t("account.resetTitle"), lines, link };
  }
  const { facts } = content;
  const isOwn = facts.every(({ shop }) => shop === "");
  const rest = facts.length - MAX_LINES;
  const lines = [
    ...facts.slice(0, MAX_LINES).map((fact) => securityLine(t, fact)),
    ...(rest > 0 ? [t("more", { count: rest })] : []),
    t(isOwn ? "account.adviceOwn" : "account.adviceShop", { email }),
  ];
  const path = isOwn ? "/settings/security" : "/settings/audit";
  const shops = [...new Set(facts.flatMap(({ shop }) => (shop ? [shop] : [])))].join(", ");
  const title = isOwn ? t("account.ownTitle") : t("account.shopTitle", { shop: shops });
  return { title, lines, link: { url: `${publicUrl}/dashboard${path}`, text: t("open") } };
}

/** Returns the line for a security change: action, object, user, origin and time. */
function securityLine(t: Text, { action, what, network, by, from, at }: SecurityFact): string {
  const actionText = t(`action.${action}`);
  const of = network ? subjectOf({ address: what, network }) : what;
  const done = of ? t("line.actionOf", { action: actionText, what: of }) : actionText;
  const who = [by, from, `${at.slice(0, 16).replace("T", " ")} UTC`].filter(Boolean).join(" · ");
  return t("line.securityChanged", { done, who });
}

function bodyOf(
  { locale, t }: Translator,
  content: NotificationContent,
  shop: string,
): { title: string; lines: string[]; path: string | null } {
  if (content.type === "test") return { title: t("testTitle"), lines: [t("testText", { shop })], path: null };
  if (content.type === "code") {
    const { code } = content;
    return { title: t("codeTitle", { code }), lines: [t("codeText", { code, shop })], path: null };
  }
  const { kind, facts } = content;
  const shown = facts.slice(0, MAX_LINES).flatMap((fact) => linesOf({ locale, t }, fact));
  const rest = facts.length - MAX_LINES;
  const more = rest > 0 ? [t("more", { count: rest })] : [];
  const advice = kind === "dailyReport" ? [] : [t(`advice.${kind}`)];
  const [only] = facts;
  const title = facts.length === 1 && only ? titleOf(t, only) : t(`many.${kind}`, { count: facts.length });
  return { title, lines: [...shown, ...more, ...advice], path: pathOf(kind, facts) };
}

function titleOf(t: Text, fact: Fact): string {
  switch (fact.kind) {
    case "orderPaid":
      return t("one.orderPaid", { number: fact.facts.number });
    case "networkTrouble":
      return t("one.networkTrouble", { network: nameOf(fact.facts.network) });
    case "dailyReport":
      return t("one.dailyReport", { day: fact.facts.day });
    default:
      return t(`one.${fact.kind}`);
  }
}

/** Returns the path of the transfer or order if there is only one fact; otherwise the path of the page for this kind. */
function pathOf(kind: NotificationKind, facts: readonly Fact[]): string {
  const [only] = facts;
  if (facts.length === 1 && only) {
    if ("transferId" in only.facts) return `/transfers/${only.facts.transferId}`;
    if ("orderId" in only.facts && only.facts.orderId) return `/orders/${only.facts.orderId}`;
  }
  return PATHS[kind];
}

function linesOf({ locale, t }: Translator, { kind, facts }: Fact): string[] {
  switch (kind) {
    case "orderPaid": {
      const amount = amountOf(t, facts);
      return [amount ? t("line.orderPaid", { ...facts, amount }) : t("line.paidByHand", { number: facts.number })];
    }
    case "moneyUnmatched":
      return [t("line.moneyUnmatched", { amount: amountOf(t, facts) })];
    case "endpointsContradict":
      return [t("line.paymentReversed", { amount: amountOf(t, facts) })];
    case "paymentReversed": {
      const amount = amountOf(t, facts);
      const { number } = facts;
      return [number ? t("line.paymentReversedOf", { amount, number }) : t("line.paymentReversed", { amount })];
    }
    case "callbackFailing": {
      const { origin, number } = facts;
      return [number ? t("line.callbackGivenUp", { origin, number }) : t("line.callbackFailing", { origin })];
    }
    case "networkTrouble":
      return [endpointErrorLine(locale, facts)];
    case "signedIn":
      return [t("line.signedIn", { browser: facts.browser, network: facts.network })];
    case "addressTampered":
      return [t("line.addressTampered", { address: facts.address, network: nameOf(facts.network) })];
    case "securityChanged":
      return [securityLine(t, facts)];
    case "dailyReport":
      return reportLines(t, facts);
  }
}

function reportLines(t: Text, report: Extract<Fact, { kind: "dailyReport" }>["facts"]): string[] {
  const { created, paid, sums, unmatched, failedCallbacks } = report;
  return [
    t("line.made", { created, paid }),
    ...sums.map((sum) => t("line.received", { amount: amountOf(t, sum) })),
    ...(unmatched > 0 ? [t("line.unmatched", { count: unmatched })] : []),
    ...(failedCallbacks > 0 ? [t("line.failedCallbacks", { count: failedCallbacks })] : []),
  ];
}

const nameOf = (network: string) => findNetwork(network)?.name ?? network;

/** Returns an amount as text; "" if the amount is unknown. */
function amountOf(t: Text, { network, currency, units }: FactAmount): string {
  const known = network ? findNetwork(network) : null;
  const token = known && currency ? findToken(known, currency) : null;
  if (!known || !token || !units) return "";
  return t("line.amount", { amount: formatUnits(BigInt(units), token.decimals), currency, network: known.name });
}

interface Sheet {
  locale: string;
  shop: string;
  title: string;
  lines: readonly string[];
  link: { url: string; text: string } | null;
  foot: { why: string; stop: string; url: string } | null;
}

const FONT = "font-family:system-ui,-apple-system,Segoe UI,Roboto,sans-serif";

function htmlOf({ locale, shop, title, lines, link, foot }: Sheet): string {
  const paragraphs = lines.map((line) => `<p style="margin:0 0 12px">${escapeXml(line)}</p>`).join("");
  const button = link
    ? `<p style="margin:20px 0 0"><a href="${escapeXml(link.url)}" style="display:inline-block;padding:9px 16px;border-radius:8px;background:#4b48d6;color:#ffffff;text-decoration:none;font-weight:600">${escapeXml(link.text)}</a></p>`
    : "";
  const small = foot
    ? `<p style="margin:24px 0 0;padding-top:12px;border-top:1px solid #d9dde3;font-size:13px;color:#667080">${escapeXml(foot.why)}<br><a href="${escapeXml(foot.url)}" style="color:#667080">${escapeXml(foot.stop)}</a></p>`
    : "";
  return `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escapeXml(title)}</title></head><body style="margin:0;padding:24px 12px;${FONT};font-size:15px;line-height:1.5"><div style="max-width:560px;margin:0 auto"><p style="margin:0 0 4px;font-size:13px;color:#667080">${escapeXml(shop)}</p><h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${escapeXml(title)}</h1>${paragraphs}${button}${small}</div></body></html>\n`;
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();
