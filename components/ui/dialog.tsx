"use client";

import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { Dialog as Radix } from "radix-ui";
import { type ReactNode, useRef } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";

interface DialogProps {
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
  title: string;
  hint?: ReactNode;
  /** True if the content cannot be shown again. The dialog then has no close button, and neither a click outside nor Escape closes it. */
  isHeld?: boolean;
  children: ReactNode;
}

/** Renders a dialog over the page. The focus stays in it, and is restored afterward. */
export function Dialog({ isOpen, onOpenChange, title, hint, isHeld, children }: DialogProps) {
  const t = useTranslations("ui");
  const opener = useRef<HTMLElement | null>(null);
  const keep = (event: Event) => {
    if (isHeld) event.preventDefault();
  };
  return (
    <Radix.Root open={isOpen} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/45 backdrop-blur-[1px]" />
        <Radix.Content
          onInteractOutside={(event) => event.preventDefault()}
          onEscapeKeyDown={keep}
          onOpenAutoFocus={() => {
            opener.current = openerOf(document.activeElement);
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            goBackTo(opener.current);
          }}
          {...(hint ? {} : { "aria-describedby": undefined })}
          className={cn(
            "fixed inset-x-0 bottom-0 z-50 max-h-[92dvh] overflow-y-auto rounded-t-2xl border border-line bg-surface p-5 shadow-2xl",
            "sm:inset-x-auto sm:bottom-auto sm:top-1/2 sm:left-1/2 sm:w-[32rem] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-2xl sm:p-6",
          )}
        >
          <div className="mb-4 flex items-start justify-between gap-4">
            <div className="grid min-w-0 gap-1">
              <Radix.Title className="font-semibold text-base [overflow-wrap:anywhere]">{title}</Radix.Title>
              {hint ? <Radix.Description className="text-ink-soft">{hint}</Radix.Description> : null}
            </div>
            {isHeld ? null : (
              <Radix.Close asChild>
                <Button look="quiet" size="icon" aria-label={t("close")} className="-mt-1 -mr-2">
                  <X aria-hidden />
                </Button>
              </Radix.Close>
            )}
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/**
 * Returns the element that had the focus before. If that was a menu item, which no longer exists when the dialog closes, returns the
 * button that opened the menu.
 */
function openerOf(focused: Element | null): HTMLElement | null {
  const menu = focused?.closest("[role=menu]")?.getAttribute("aria-labelledby");
  const opener = menu ? document.getElementById(menu) : focused;
  return opener instanceof HTMLElement ? opener : null;
}

/**
 * Restores the focus to the earlier element or, if that was removed, to the page's heading, so that Tab continues from there. The focused
 * element may be removed slightly later, for example because another page follows.
 */
function goBackTo(opener: HTMLElement | null): void {
  const focused = opener?.isConnected && opener !== document.body ? opener : pageHeading();
  if (!focused) return;
  focused.focus();
  const watch = new MutationObserver(() => {
    if (document.activeElement === focused) return;
    watch.disconnect();
    if (!focused.isConnected && document.activeElement === document.body) goBackTo(null);
  });
  watch.observe(document.body, { childList: true, subtree: true });
}

/** Returns the heading of the page, ready for the focus. */
function pageHeading(): HTMLElement | null {
  const heading = document.querySelector<HTMLElement>("main h1");
  heading?.setAttribute("tabindex", "-1");
  return heading;
}

/** Renders the row of buttons at the bottom of a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-5 flex flex-wrap justify-end gap-2">{children}</div>;
}
