import type { ReactNode } from "react";

/** Renders names and values, one below the other. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid gap-3">{children}</dl>;
}

/** Renders one name with its value. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-ink-soft text-xs">{name}</dt>
      <dd className="min-w-0 break-words tabular-nums">{children}</dd>
    </div>
  );
}
