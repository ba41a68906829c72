import { Check } from "lucide-react";
import { useTranslations } from "next-intl";
import { Fact } from "@/components/dashboard/frame/facts";

interface ConnectionFactsProps {
  shop: string;
  /** The name of the integration. */
  protocol: string;
  /** The protocol's name for a token. */
  keyTerm: string;
  /** The host that receives the token; null if the token is shown to the user. */
  host: string | null;
  /** Descriptions of the permissions of the token. */
  permissions: readonly string[];
  /** True if the application also requested permissions that are never granted. */
  hasWithheld: boolean;
}

/** Renders the shop, receiver and permissions of a token that an application requests. */
export function ConnectionFacts({ shop, protocol, keyTerm, host, permissions, hasWithheld }: ConnectionFactsProps) {
  const t = useTranslations("plugins.connect");
  return (
    <>
      <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
        <Fact name={t("shop")}>
          <span className="font-medium wrap-anywhere">{shop}</span>
        </Fact>
        <Fact name={t("goesTo", { key: keyTerm })}>
          {host === null ? t("goesToYou") : <code className="font-mono font-semibold wrap-anywhere">{host}</code>}
        </Fact>
      </dl>
      <div>
        <h2 className="font-medium">{t("mayDo")}</h2>
        <ul className="mt-2 grid gap-1.5">
          {permissions.map((text) => (
            <li key={text} className="flex gap-2">
              <Check aria-hidden className="mt-1 size-4 shrink-0 text-good" />
              {text}
            </li>
          ))}
        </ul>
        <p className="mt-2 text-[0.8125rem] text-ink-soft">
          {t("never", { protocol })} {hasWithheld ? t("withheld") : ""}
        </p>
      </div>
    </>
  );
}
