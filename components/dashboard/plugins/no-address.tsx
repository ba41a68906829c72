import Link from "next/link";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";

/** `isAnyOn`: true if plugins of the shop are enabled; `isConnecting`: true on the page on which an application requests a token. */
type NoAddressProps = { isAnyOn: boolean; isConnecting?: never } | { isConnecting: true; isAnyOn?: never };

/** Renders the reason why a shop without an active receiving address can use no plugin, with a link to its addresses. */
export function NoAddress({ isAnyOn, isConnecting }: NoAddressProps) {
  const t = useTranslations("plugins.noAddress");
  const action = (
    <Button asChild size="small">
      <Link href="/dashboard/settings/addresses">{t("action")}</Link>
    </Button>
  );
  return (
    <Notice tone={isAnyOn ? "bad" : "warn"} action={action}>
      {isConnecting ? t("connecting") : isAnyOn ? t("anyOn") : t("allOff")}
    </Notice>
  );
}
