import type { IntegrationDescription } from "@/lib/domain/integrations/description";
import { EPAY_FORMS } from "@/lib/integrations/epay/forms";

export const epayDescription: IntegrationDescription = {
  about: {
    en: "For V2Board, Xboard, SSPanel, dujiaoka and other systems that support EPay V1 (易支付, MD5).",
    zh: "适用于 V2Board、Xboard、SSPanel、独角数卡以及其他使用易支付 V1（EPay，MD5）协议的系统。",
    es: "Para V2Board, Xboard, SSPanel, dujiaoka y otros sistemas que admiten EPay V1 (易支付, MD5).",
    ru: "Для V2Board, Xboard, SSPanel, dujiaoka и других систем, которые поддерживают EPay V1 (易支付, MD5).",
  },
  path: "/epay/",
  terms: { url: "API URL", id: "PID", key: "KEY" },
  isWeaklySigned: true,
  hasPriceCurrency: true,
  settings: [
    {
      kind: "flag",
      name: "takesKeyInUrl",
      // Off by default, because proxies and web servers log URLs.
      initial: false,
      texts: {
        en: {
          label: "Key in a URL",
          yes: "Accepted",
          no: "Refused",
          choice: "Accept the key in a URL",
          hint: "Turn this on only if your plugin queries api.php with the key in the URL: proxies and web servers log URLs. Signed requests and keys in a POST form are always accepted.",
        },
        zh: {
          label: "网址中的密钥",
          yes: "接受",
          no: "拒绝",
          choice: "接受网址中的密钥",
          hint: "仅当插件在网址中携带密钥查询 api.php 时才开启：代理和网站服务器会记录网址。带签名的请求和以 POST 表单提交的密钥始终会被接受。",
        },
        es: {
          label: "Clave en una URL",
          yes: "Aceptada",
          no: "Rechazada",
          choice: "Aceptar la clave en una URL",
          hint: "Actívalo solo si tu plugin consulta api.php con la clave en la URL: los proxies y servidores web registran las URL. Las solicitudes firmadas y las claves en un formulario POST se aceptan siempre.",
        },
        ru: {
          label: "Ключ в URL",
          yes: "Принимается",
          no: "Отклоняется",
          choice: "Принимать ключ в URL",
          hint: "Включайте, только если плагин обращается к api.php с ключом в URL: прокси и веб-серверы записывают URL в журналы. Подписанные запросы и ключи в форме POST принимаются всегда.",
        },
      },
    },
  ],
  forms: EPAY_FORMS,
};
