"use client";

import { Ellipsis } from "lucide-react";
import { useTranslations } from "next-intl";
import { DropdownMenu as Radix } from "radix-ui";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";

export interface RowAction {
  text: string;
  isDangerous?: boolean;
  onPick(): void;
}

/** Renders the menu of a row's actions. */
export function RowMenu({ what, actions }: { what: string; actions: readonly RowAction[] }) {
  const t = useTranslations("ui");
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>
        <Button look="quiet" size="icon" aria-label={t("actionsFor", { what })}>
          <Ellipsis aria-hidden />
        </Button>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align="end"
          sideOffset={4}
          className="z-30 min-w-40 rounded-lg border border-line bg-surface p-1 shadow-lg"
        >
          {actions.map(({ text, isDangerous, onPick }) => (
            <Radix.Item
              key={text}
              onSelect={onPick}
              className={cn(
                "cursor-pointer rounded-md px-2.5 py-1.5 outline-none data-highlighted:bg-sunken",
                isDangerous && "text-bad",
              )}
            >
              {text}
            </Radix.Item>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
