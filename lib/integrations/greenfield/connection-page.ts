import { createHash } from "node:crypto";
import type { Localized } from "@/lib/domain/integrations/texts";
import { escapeXml } from "@/lib/domain/reports";

/** Texts of the page; `{host}` is the host of the application. */
const TEXTS: Localized<Readonly<Record<"sending" | "hint" | "goOn" | "tooLate" | "tooLateHint", string>>> = {
  en: {
    sending: "The API key goes to {host}",
    hint: "Your browser sends the API key now. If this page stays open, press the button.",
    goOn: "Continue to {host}",
    tooLate: "This took too long",
    tooLateHint:
      "The API key was not sent. Go back to the application and connect again; revoke the unused API key under Settings → Plugins.",
  },
  zh: {
    sending: "API key 发往 {host}",
    hint: "您的浏览器正在前往。如果没有反应，请点击按钮。",
    goOn: "前往 {host}",
    tooLate: "用时过长",
    tooLateHint: "API key 没有发出。请返回该应用重新连接，并在“设置 → 插件”中撤销未使用的 API key。",
  },
  es: {
    sending: "La clave de API va a {host}",
    hint: "Tu navegador envía ahora la clave de API. Si esta página sigue abierta, pulsa el botón.",
    goOn: "Continuar a {host}",
    tooLate: "Ha tardado demasiado",
    tooLateHint:
      "La clave de API no se envió. Vuelve a la aplicación y conéctala de nuevo; revoca la clave de API sin usar en Ajustes → Plugins.",
  },
  ru: {
    sending: "Ключ API отправляется на {host}",
    hint: "Ваш браузер сейчас отправляет ключ API. Если эта страница остаётся открытой, нажмите кнопку.",
    goOn: "Перейти на {host}",
    tooLate: "Прошло слишком много времени",
    tooLateHint:
      "Ключ API не отправлен. Вернитесь в приложение и подключите его снова; отзовите неиспользованный ключ API в разделе «Настройки → Плагины».",
  },
};
const STYLE =
  ":root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}main{max-width:30rem;margin:15vh auto 0;padding:0 1rem;overflow-wrap:anywhere}h1{font-size:1.25rem}button{font:inherit;padding:.5rem 1rem;min-height:2.75rem}";
const SCRIPT = "document.forms[0].submit()";

interface TokenForm {
  redirect: string;
  /** The names and values in order. */
  fields: readonly (readonly [name: string, value: string])[];
}

/**
 * Returns the page that delivers a token to the application that it was issued to. The page has a form that submits itself, with a button
 * for browsers without scripts.
 * @param form null if there is no token, or it has expired
 */
export function connectionPage(locale: keyof typeof TEXTS, form: TokenForm | null): string {
  const texts = TEXTS[locale];
  const host = form ? new URL(form.redirect).host : "";
  const withHost = (text: string) => text.replace("{host}", () => host);
  const title = form ? withHost(texts.sending) : texts.tooLate;
  const body = form
    ? `<p>${escapeXml(texts.hint)}</p>${formOf(form, withHost(texts.goOn))}<script>${SCRIPT}</script>`
    : `<p role="alert">${escapeXml(texts.tooLateHint)}</p>`;
  return `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${escapeXml(title)}</title><style>${STYLE}</style></head><body><main><h1>${escapeXml(title)}</h1>${body}</main></body></html>`;
}

function formOf({ redirect, fields }: TokenForm, button: string): string {
  const inputs = fields.map(
    ([name, value]) => `<input type="hidden" name="${escapeXml(name)}" value="${escapeXml(value)}">`,
  );
  return `<form method="post" action="${escapeXml(redirect)}">${inputs.join("")}<button>${escapeXml(button)}</button></form>`;
}

/** Returns the headers of the page that delivers a token. They allow its form to be submitted only to this one origin. */
export function connectionHeaders(redirect: string | null): Record<string, string> {
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
    // This policy sends the application the origin of this service, but not the URL of the page.
    "referrer-policy": "strict-origin",
    "cross-origin-opener-policy": "same-origin",
  };
}
