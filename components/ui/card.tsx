import type { ReactNode } from "react";
import { cn } from "@/components/ui/class-names";

interface CardProps {
  title?: ReactNode;
  /** The action beside the title. */
  action?: ReactNode;
  /** The hint below the title. */
  hint?: ReactNode;
  /** True if the content extends to the edges, as tables do. */
  isFlush?: boolean;
  className?: string;
  children: ReactNode;
}

/** Renders a card with an optional heading. */
export function Card({ title, action, hint, isFlush, className, children }: CardProps) {
  return (
    <section
      className={cn(
        "min-w-0 rounded-xl border border-line bg-surface shadow-xs",
        isFlush && "overflow-clip",
        className,
      )}
    >
      {title ? (
        <header
          className={cn(
            "flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 pt-3.5 sm:px-5",
            isFlush && "pb-3.5",
          )}
        >
          <div>
            <h2 className="font-semibold">{title}</h2>
            {hint ? <p className="text-[0.8125rem] text-ink-soft">{hint}</p> : null}
          </div>
          {action}
        </header>
      ) : null}
      {isFlush ? children : <div className="px-4 py-3.5 sm:px-5">{children}</div>}
    </section>
  );
}
