"use client";

import { Check, ChevronsUpDown, Plus, Server } from "lucide-react";
import Link from "next/link";
import { useLocale, useTranslations } from "next-intl";
import { DropdownMenu as Radix } from "radix-ui";
import { toast } from "sonner";
import type { LanguageId } from "@/components/messages/languages";
import { problemMessages } from "@/components/messages/problem-message";
import type { Answer } from "@/components/ui/form/form-state";
import { problem, refuse } from "@/lib/domain/problems/problem";

/** The shop that the user works in, and the shops and pages that the menu offers. */
export interface Whereabouts {
  shop: string;
  shopId: string;
  shops: readonly { id: string; name: string }[];
  mayMakeShop: boolean;
  isOperator: boolean;
  /** Switches the session to the shop in the form's field `to`. */
  switchShop(form: FormData): Promise<Answer<true>>;
}

const ITEM =
  "flex cursor-pointer items-center gap-2 rounded-md px-2.5 py-1.5 outline-none data-highlighted:bg-sunken [&_svg]:size-4 [&_svg]:shrink-0";

/** Renders the current shop, as a menu if there are targets to switch to. */
export function ShopSwitcher(props: Whereabouts) {
  const { shop, shopId, shops, mayMakeShop, isOperator, switchShop } = props;
  const t = useTranslations("nav");
  const language = useLocale();
  if (shops.length < 2 && !mayMakeShop && !isOperator) return <p className="truncate font-medium">{shop}</p>;
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger className="-mx-1.5 flex min-w-0 items-center gap-1 rounded-md px-1.5 font-medium hover:bg-sunken">
        <span className="sr-only">{t("shop")} </span>
        <span className="truncate">{shop}</span>
        <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-ink-soft" />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side="top"
          align="start"
          sideOffset={6}
          className="z-60 max-h-80 min-w-52 max-w-72 overflow-y-auto rounded-lg border border-line bg-surface p-1 shadow-lg"
        >
          <Radix.RadioGroup value={shopId} onValueChange={(id) => void goTo(id, switchShop, language)}>
            {shops.map(({ id, name }) => (
              <Radix.RadioItem key={id} value={id} className={ITEM}>
                <span className="min-w-0 flex-1 truncate">{name}</span>
                <Radix.ItemIndicator>
                  <Check aria-hidden />
                </Radix.ItemIndicator>
              </Radix.RadioItem>
            ))}
          </Radix.RadioGroup>
          {mayMakeShop || isOperator ? <Radix.Separator className="my-1 h-px bg-line" /> : null}
          {mayMakeShop ? (
            <Radix.Item asChild className={ITEM}>
              <Link href="/new-shop">
                <Plus aria-hidden /> {t("newShop")}
              </Link>
            </Radix.Item>
          ) : null}
          {isOperator ? (
            <Radix.Item asChild className={ITEM}>
              <Link href="/dashboard/installation">
                <Server aria-hidden /> {t("installation")}
              </Link>
            </Radix.Item>
          ) : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Switches the shop and loads the whole page, so that no data of the previous shop stays visible. */
async function goTo(id: string, switchShop: Whereabouts["switchShop"], language: LanguageId) {
  const form = new FormData();
  form.set("to", id);
  const answer = await switchShop(form).catch(() => null);
  if (answer && "ok" in answer) return window.location.assign("/dashboard");
  const [refused] = await problemMessages(
    language,
    answer?.errors ?? refuse("", problem("service_unreachable")).errors,
  );
  toast.error(refused?.message ?? "");
}
