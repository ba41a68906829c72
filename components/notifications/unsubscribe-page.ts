import { createTranslator } from "next-intl";
import { MESSAGES } from "@/components/messages/all";
import type { en } from "@/components/messages/en";
import type { LanguageId } from "@/components/messages/languages";
import type { NotificationKind } from "@/lib/domain/notifications/notification";
import { escapeXml } from "@/lib/domain/reports";

const STYLE =
  ":root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}main{max-width:30rem;margin:15vh auto 0;padding:0 1rem}h1{font-size:1.25rem}button{font:inherit;padding:.5rem 1rem}";

/**
 * Renders the page of an email's unsubscribe link. The page requires a confirmation, so that a program that only follows links does not
 * unsubscribe the user.
 * @param state the kind of notification; `isDone` is true once the user is unsubscribed. Null if this installation did not create the link
 */
export function unsubscribePage(locale: LanguageId, state: { kind: NotificationKind; isDone: boolean } | null): string {
  const t = createTranslator({ locale, messages: MESSAGES[locale] as typeof en, namespace: "notifications" });
  const title = t("stopTitle");
  const body = state
    ? state.isDone
      ? `<p role="status">${escapeXml(t("stopped"))}</p>`
      : `<p>${escapeXml(t("stopText", { kind: t(`kinds.${state.kind}`) }))}</p><form method="post"><button>${escapeXml(t("stopIt"))}</button></form>`
    : `<p role="alert">${escapeXml(t("stopGone"))}</p>`;
  return `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${escapeXml(title)}</title><style>${STYLE}</style></head><body><main><h1>${escapeXml(title)}</h1>${body}</main></body></html>`;
}
