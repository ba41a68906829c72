import {
  ArrowLeftRight,
  Bell,
  Coins,
  FileSpreadsheet,
  House,
  KeyRound,
  Link2,
  type LucideIcon,
  Palette,
  PiggyBank,
  Plug,
  ReceiptText,
  ScrollText,
  ShieldCheck,
  Timer,
  Undo2,
  UserRound,
  Users,
  Wallet,
  Webhook,
} from "lucide-react";
import type { Messages } from "next-intl";
import type { Need } from "@/lib/domain/keys/role";

/** A page of the back office, as its menu lists it. */
export interface NavItem {
  href: string;
  text: Exclude<keyof Messages["nav"], "who">;
  Icon: LucideIcon;
  /** The permission that the page requires. The page is hidden from roles without this permission. Defaults to "look". */
  need?: Need;
}

/** The pages for daily work. */
export const WORK: readonly NavItem[] = [
  { href: "/dashboard", text: "home", Icon: House },
  { href: "/dashboard/orders", text: "orders", Icon: ReceiptText },
  { href: "/dashboard/links", text: "links", Icon: Link2 },
  { href: "/dashboard/transfers", text: "transfers", Icon: ArrowLeftRight },
  { href: "/dashboard/deposits", text: "deposits", Icon: PiggyBank },
  { href: "/dashboard/refunds", text: "refunds", Icon: Undo2 },
  { href: "/dashboard/callbacks", text: "callbacks", Icon: Webhook },
  { href: "/dashboard/reports", text: "reports", Icon: FileSpreadsheet },
];
/** The pages for settings. */
export const SETTINGS: readonly NavItem[] = [
  { href: "/dashboard/settings/api-keys", text: "apiKeys", Icon: KeyRound },
  { href: "/dashboard/settings/plugins", text: "plugins", Icon: Plug },
  { href: "/dashboard/settings/addresses", text: "addresses", Icon: Wallet },
  { href: "/dashboard/settings/prices", text: "prices", Icon: Coins },
  { href: "/dashboard/settings/orders", text: "orderTerms", Icon: Timer },
  { href: "/dashboard/settings/refunds", text: "refundSettings", Icon: Undo2 },
  { href: "/dashboard/settings/checkout", text: "checkout", Icon: Palette },
  { href: "/dashboard/settings/team", text: "team", Icon: Users },
  { href: "/dashboard/settings/security", text: "security", Icon: ShieldCheck },
  { href: "/dashboard/settings/notifications", text: "notifications", Icon: Bell },
  { href: "/dashboard/settings/audit", text: "audit", Icon: ScrollText, need: "work" },
  { href: "/dashboard/settings/account", text: "account", Icon: UserRound },
];
