import type { ReactNode } from "react";
import { ClientMessages } from "@/app/client-messages";
import { chooseLanguage } from "@/app/language/actions";
import { LanguageSwitch } from "@/components/ui/language-switch";
import { Logo } from "@/components/ui/logo";
import { ThemeToggle } from "@/components/ui/theme";

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <ClientMessages of="auth">
      <div className="flex min-h-dvh flex-col">
        <header className="flex items-center justify-between px-5 py-4">
          <Logo />
          <div className="flex">
            <LanguageSwitch action={chooseLanguage} />
            <ThemeToggle />
          </div>
        </header>
        <main className="mx-auto grid w-full max-w-[26rem] flex-1 content-start px-4 pt-[8dvh] pb-12">{children}</main>
      </div>
    </ClientMessages>
  );
}
