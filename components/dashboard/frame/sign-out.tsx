"use client";

import { LogOut } from "lucide-react";
import { signOut } from "next-auth/react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";

/** Renders the button that ends the session, on the server too. */
export function SignOut({ isIcon = false }: { isIcon?: boolean }) {
  const t = useTranslations("ui");
  return isIcon ? (
    <Button look="quiet" size="icon" aria-label={t("signOut")} title={t("signOut")} onClick={leave}>
      <LogOut aria-hidden />
    </Button>
  ) : (
    <Button onClick={leave}>{t("signOut")}</Button>
  );
}

/** Signs out and loads the whole page, so that no data of the session stays in memory. */
async function leave() {
  await signOut({ redirect: false });
  window.location.assign("/login");
}
