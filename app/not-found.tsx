import Link from "next/link";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";

export default function NotFound() {
  const t = useTranslations("missing");
  return (
    <main className="grid min-h-dvh place-content-center justify-items-center gap-3 px-4 text-center">
      <h1 className="font-semibold text-xl">{t("title")}</h1>
      <p className="text-ink-soft">{t("text")}</p>
      <Button asChild>
        <Link href="/">{t("start")}</Link>
      </Button>
    </main>
  );
}
