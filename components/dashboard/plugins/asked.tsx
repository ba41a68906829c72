import { Check } from "lucide-react";
import { useTranslations } from "next-intl";
import { Fact } from "@/components/dashboard/frame/facts";
import type { Permission } from "@/lib/domain/integrations/greenfield";

const WORDS = {
  "btcpay.store.canviewinvoices": "may.viewInvoices",
  "btcpay.store.cancreateinvoice": "may.createInvoices",
  "btcpay.store.canviewstoresettings": "may.viewStore",
  "btcpay.store.canmodifyinvoices": "may.changeInvoices",
  "btcpay.store.webhooks.canmodifywebhooks": "may.webhooks",
} as const satisfies Record<Permission, string>;

interface AskedProps {
  shop: string;
  /** Null: the token is shown to the person. */
  host: string | null;
  permissions: readonly Permission[];
  /** Something else was asked for, that nobody is given. */
  hasWithheld: boolean;
}

/** Whom a token is for, of which shop, and what it may do. */
export function Asked({ shop, host, permissions, hasWithheld }: AskedProps) {
  const t = useTranslations("plugins.connect");
  return (
    <>
      <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
        <Fact name={t("shop")}>
          <span className="font-medium wrap-anywhere">{shop}</span>
        </Fact>
        <Fact name={t("goesTo")}>
          {host === null ? t("goesToYou") : <code className="font-mono font-semibold wrap-anywhere">{host}</code>}
        </Fact>
      </dl>
      <div>
        <h2 className="font-medium">{t("mayDo")}</h2>
        <ul className="mt-2 grid gap-1.5">
          {permissions.map((name) => (
            <li key={name} className="flex gap-2">
              <Check aria-hidden className="mt-1 size-4 shrink-0 text-good" />
              {t(WORDS[name])}
            </li>
          ))}
        </ul>
        <p className="mt-2 text-[0.8125rem] text-ink-soft">
          {t("never")} {hasWithheld ? t("withheld") : ""}
        </p>
      </div>
    </>
  );
}
