import { createHash } from "node:crypto";
import { createTranslator } from "next-intl";
import { en } from "@/components/messages/en";
import type { LanguageId } from "@/components/messages/languages";
import { zh } from "@/components/messages/zh";
import { escapeXml } from "@/lib/domain/reports";

const MESSAGES = { en, zh };
const STYLE =
  ":root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}main{max-width:30rem;margin:15vh auto 0;padding:0 1rem;overflow-wrap:anywhere}h1{font-size:1.25rem}button{font:inherit;padding:.5rem 1rem;min-height:2.75rem}";
const SCRIPT = "document.forms[0].submit()";

interface HandedOver {
  redirect: string;
  /** Names and values of the form, in its order. */
  fields: readonly (readonly [name: string, value: string])[];
}

/**
 * The page that brings a token to the application that it was given to: a form that sends itself, and a button for browsers without
 * scripts.
 * @param handed null: there is none, or its time is over
 */
export function handOverPage(locale: LanguageId, handed: HandedOver | null): string {
  const t = createTranslator({ locale, messages: MESSAGES[locale] as typeof en, namespace: "plugins" });
  const host = handed ? new URL(handed.redirect).host : "";
  const title = handed ? t("connect.handOver", { host }) : t("connect.tooLate");
  const body = handed
    ? `<p>${escapeXml(t("connect.handOverHint"))}</p>${formOf(handed, t("connect.goOn", { host }))}<script>${SCRIPT}</script>`
    : `<p role="alert">${escapeXml(t("connect.tooLateHint"))}</p>`;
  return `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${escapeXml(title)}</title><style>${STYLE}</style></head><body><main><h1>${escapeXml(title)}</h1>${body}</main></body></html>`;
}

function formOf({ redirect, fields }: HandedOver, button: string): string {
  const inputs = fields.map(
    ([name, value]) => `<input type="hidden" name="${escapeXml(name)}" value="${escapeXml(value)}">`,
  );
  return `<form method="post" action="${escapeXml(redirect)}">${inputs.join("")}<button>${escapeXml(button)}</button></form>`;
}

/** The headers of that page: its form may go to this one origin, and nothing else may happen on it. */
export function handOverHeaders(redirect: string | null): Record<string, string> {
  const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const policy = [
    "default-src 'none'",
    `script-src ${hash(SCRIPT)}`,
    `style-src ${hash(STYLE)}`,
    `form-action ${redirect === null ? "'none'" : new URL(redirect).origin}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy.join("; "),
    "cache-control": "no-store",
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    // The application sees where it comes from, and nothing of the address.
    "referrer-policy": "strict-origin",
    "cross-origin-opener-policy": "same-origin",
  };
}
