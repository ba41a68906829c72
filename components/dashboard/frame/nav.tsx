"use client";

import {
  ArrowLeftRight,
  Coins,
  House,
  KeyRound,
  type LucideIcon,
  Menu,
  Palette,
  ReceiptText,
  ShieldCheck,
  UserRound,
  Users,
  Wallet,
  X,
} from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { Dialog as Radix } from "radix-ui";
import { useState } from "react";
import { ShopSwitcher, type Whereabouts } from "@/components/dashboard/frame/shop-switcher";
import { SignOut } from "@/components/dashboard/frame/sign-out";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { Logo } from "@/components/ui/logo";
import { ThemeToggle } from "@/components/ui/theme";

interface Place {
  href: string;
  text: string;
  Icon: LucideIcon;
}

const WORK: readonly Place[] = [
  { href: "/dashboard", text: "Home", Icon: House },
  { href: "/dashboard/orders", text: "Orders", Icon: ReceiptText },
  { href: "/dashboard/transfers", text: "Transfers", Icon: ArrowLeftRight },
];
const SETTINGS: readonly Place[] = [
  { href: "/dashboard/settings/api-keys", text: "API keys", Icon: KeyRound },
  { href: "/dashboard/settings/addresses", text: "Receiving addresses", Icon: Wallet },
  { href: "/dashboard/settings/prices", text: "Prices", Icon: Coins },
  { href: "/dashboard/settings/checkout", text: "Checkout", Icon: Palette },
  { href: "/dashboard/settings/team", text: "Team", Icon: Users },
  { href: "/dashboard/settings/security", text: "Security", Icon: ShieldCheck },
  { href: "/dashboard/settings/account", text: "Account", Icon: UserRound },
];

interface NavProps {
  at: Whereabouts;
  email: string;
  role: string;
}

/** The sidebar of wide screens. */
export function Sidebar(props: NavProps) {
  return (
    <aside className="sticky top-0 hidden h-dvh w-60 shrink-0 flex-col border-line border-r bg-surface lg:flex">
      <div className="px-5 pt-5 pb-4">
        <Logo />
      </div>
      <Places />
      <Foot {...props} />
    </aside>
  );
}

/** The bar of narrow screens; its button opens the places. */
export function TopBar(props: NavProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <header className="sticky top-0 z-30 flex items-center justify-between border-line border-b bg-surface px-4 py-2.5 lg:hidden">
      <Logo />
      <Radix.Root open={isOpen} onOpenChange={setOpen}>
        <Radix.Trigger asChild>
          <Button look="quiet" size="icon" aria-label="Menu">
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
              <Radix.Title className="font-semibold">Menu</Radix.Title>
              <Radix.Close asChild>
                <Button look="quiet" size="icon" aria-label="Close">
                  <X aria-hidden />
                </Button>
              </Radix.Close>
            </div>
            <Places onGo={() => setOpen(false)} />
            <Foot {...props} />
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </header>
  );
}

function Places({ onGo }: { onGo?: () => void }) {
  return (
    <nav aria-label="Main" className="flex-1 overflow-y-auto px-3">
      <PlaceList places={WORK} onGo={onGo} />
      <p className="mt-5 mb-1 px-2.5 font-medium text-ink-soft text-xs">Settings</p>
      <PlaceList places={SETTINGS} onGo={onGo} />
    </nav>
  );
}

function PlaceList({ places, onGo }: { places: readonly Place[]; onGo: (() => void) | undefined }) {
  const path = usePathname();
  const isHere = (href: string) => path === href || (href !== "/dashboard" && path.startsWith(`${href}/`));
  return (
    <ul className="grid gap-0.5">
      {places.map(({ href, text, Icon }) => (
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
            {text}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Foot({ at, email, role }: NavProps) {
  return (
    <div className="flex items-center justify-between gap-2 border-line border-t px-4 py-3">
      <div className="min-w-0">
        <ShopSwitcher {...at} />
        <p className="truncate text-ink-soft text-xs" title={`${email}, ${role}`}>
          {email}
        </p>
      </div>
      <div className="flex">
        <ThemeToggle />
        <SignOut isIcon />
      </div>
    </div>
  );
}
