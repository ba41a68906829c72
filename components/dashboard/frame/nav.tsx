"use client";

import { Menu, Search, X } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { Dialog as Radix } from "radix-ui";
import { useState } from "react";
import { type NavItem, SETTINGS, WORK } from "@/components/dashboard/frame/nav-items";
import { openGoTo } from "@/components/dashboard/frame/search-dialog";
import { ShopSwitcher, type Whereabouts } from "@/components/dashboard/frame/shop-switcher";
import { SignOut } from "@/components/dashboard/frame/sign-out";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { LanguageSwitch } from "@/components/ui/language-switch";
import { Logo } from "@/components/ui/logo";
import { ThemeToggle } from "@/components/ui/theme";
import { may, type Role } from "@/lib/domain/keys/role";

interface NavProps {
  at: Whereabouts;
  email: string;
  role: Role;
  chooseLanguage(form: FormData): Promise<void>;
}

/** Renders the sidebar of wide screens. */
export function Sidebar(props: NavProps) {
  return (
    <aside className="sticky top-0 hidden h-dvh w-60 shrink-0 flex-col border-line border-r bg-surface lg:flex">
      <div className="px-5 pt-5 pb-4">
        <Logo />
      </div>
      <div className="px-3 pb-3">
        <GoToButton />
      </div>
      <NavLinks role={props.role} />
      <Foot {...props} />
    </aside>
  );
}

/** Renders the top bar of narrow screens. Its button opens the menu. */
export function TopBar(props: NavProps) {
  const t = useTranslations("nav");
  const [isOpen, setOpen] = useState(false);
  return (
    <header className="sticky top-0 z-30 flex items-center justify-between border-line border-b bg-surface px-4 py-2.5 lg:hidden">
      <Logo />
      <div className="flex">
        <GoToButton isIcon />
        <Radix.Root open={isOpen} onOpenChange={setOpen}>
          <Radix.Trigger asChild>
            <Button look="quiet" size="icon" aria-label={t("menu")}>
              <Menu aria-hidden />
            </Button>
          </Radix.Trigger>
          <Radix.Portal>
            <Radix.Overlay className="fixed inset-0 z-40 bg-black/45 lg:hidden" />
            <Radix.Content
              aria-describedby={undefined}
              className="fixed inset-y-0 right-0 z-50 flex w-72 max-w-[85vw] flex-col border-line border-l bg-surface lg:hidden"
            >
              <div className="flex items-center justify-between px-4 py-2.5">
                <Radix.Title className="font-semibold">{t("menu")}</Radix.Title>
                <Radix.Close asChild>
                  <Button look="quiet" size="icon" aria-label={t("close")}>
                    <X aria-hidden />
                  </Button>
                </Radix.Close>
              </div>
              <NavLinks role={props.role} onGo={() => setOpen(false)} />
              <Foot {...props} />
            </Radix.Content>
          </Radix.Portal>
        </Radix.Root>
      </div>
    </header>
  );
}

/** Renders the button that opens the same dialog as Ctrl-K. */
function GoToButton({ isIcon = false }: { isIcon?: boolean }) {
  const t = useTranslations("goTo");
  return isIcon ? (
    <Button look="quiet" size="icon" aria-label={t("open")} onClick={openGoTo}>
      <Search aria-hidden />
    </Button>
  ) : (
    <Button size="small" className="w-full justify-start font-normal text-ink-soft" onClick={openGoTo}>
      <Search aria-hidden /> {t("open")} <kbd className="ml-auto font-sans text-xs">{t("keys")}</kbd>
    </Button>
  );
}

function NavLinks({ role, onGo }: { role: Role; onGo?: () => void }) {
  const t = useTranslations("nav");
  return (
    <nav aria-label={t("main")} className="flex-1 overflow-y-auto px-3">
      <NavList items={WORK} onGo={onGo} />
      <p className="mt-5 mb-1 px-2.5 font-medium text-ink-soft text-xs">{t("settings")}</p>
      <NavList items={SETTINGS.filter(({ need = "look" }) => may(role, need))} onGo={onGo} />
    </nav>
  );
}

function NavList({ items, onGo }: { items: readonly NavItem[]; onGo: (() => void) | undefined }) {
  const t = useTranslations("nav");
  const path = usePathname();
  const isHere = (href: string) => path === href || (href !== "/dashboard" && path.startsWith(`${href}/`));
  return (
    <ul className="grid gap-0.5">
      {items.map(({ href, text, Icon }) => (
        <li key={href}>
          <Link
            href={href}
            aria-current={isHere(href) ? "page" : undefined}
            {...(onGo ? { onClick: onGo } : {})}
            className={cn(
              "flex items-center gap-2.5 rounded-lg px-2.5 py-1.5 font-medium transition-colors",
              isHere(href) ? "bg-accent-soft text-accent" : "text-ink-soft hover:bg-sunken hover:text-ink",
            )}
          >
            <Icon aria-hidden className="size-4 shrink-0" />
            {t(text)}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Foot({ at, email, role, chooseLanguage }: NavProps) {
  const t = useTranslations("nav");
  return (
    <div className="flex items-center justify-between gap-2 border-line border-t px-4 py-3">
      <div className="min-w-0">
        <ShopSwitcher {...at} />
        <p className="truncate text-ink-soft text-xs" title={t("who", { email, role })}>
          {email}
        </p>
      </div>
      <div className="flex">
        <LanguageSwitch action={chooseLanguage} />
        <ThemeToggle />
        <SignOut isIcon />
      </div>
    </div>
  );
}
