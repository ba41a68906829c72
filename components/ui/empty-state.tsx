import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

interface EmptyStateProps {
  Icon: LucideIcon;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}

/** Renders the empty state of a list, with one action. */
export function EmptyState({ Icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-3 px-5 py-12 text-center">
      <div className="grid size-11 place-items-center rounded-xl bg-sunken text-ink-soft">
        <Icon aria-hidden className="size-5" />
      </div>
      <h2 className="font-semibold text-base">{title}</h2>
      <div className="grid w-full max-w-xl gap-4 text-ink-soft">{children}</div>
      {action}
    </div>
  );
}
