import type { ReactNode } from "react";
import { cn } from "@/components/ui/class-names";

interface TableProps {
  /** The caption of the table, for screen readers. */
  caption: string;
  head: readonly { text: string; isRight?: boolean; isHidden?: boolean; className?: string }[];
  children: ReactNode;
}

/** Renders a table that scrolls horizontally if it is wider than the screen. */
export function Table({ caption, head, children }: TableProps) {
  return (
    <div className="relative overflow-x-auto border-line border-t first:border-t-0">
      <table className="w-full border-collapse text-left tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-line border-b bg-sunken/60 text-xs text-ink-soft">
            {head.map(({ text, isRight, isHidden, className }) => (
              <th
                key={text}
                scope="col"
                className={cn(
                  "whitespace-nowrap px-3 py-2 font-medium first:pl-4 last:pr-4 sm:first:pl-5 sm:last:pr-5",
                  isRight && "text-right",
                  className,
                )}
              >
                {isHidden ? <span className="sr-only">{text}</span> : text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">{children}</tbody>
      </table>
    </div>
  );
}

/** Returns the style of a row. A row that no longer belongs to the list has an explanation in its title. */
export function rowLook(isOut: boolean | undefined, title: string): { className: string; title?: string } {
  return isOut
    ? { className: "bg-sunken line-through decoration-line-strong", title }
    : { className: "hover:bg-sunken/50" };
}

interface CellProps {
  children: ReactNode;
  isRight?: boolean;
  /** True if the column has actions: it stays visible when the table is wider than the screen. */
  isAction?: boolean;
  /** True if the text may wrap; otherwise the cell has one line. */
  isWrapped?: boolean;
  className?: string;
}

/** Renders a cell of Table. */
export function Cell({ children, isRight, isAction, isWrapped, className }: CellProps) {
  return (
    <td
      className={cn(
        "px-3 py-2.5 align-middle first:pl-4 last:pr-4 sm:first:pl-5 sm:last:pr-5",
        !isWrapped && "whitespace-nowrap",
        isRight && "text-right",
        isAction && "sticky right-0 bg-surface text-right sm:static sm:bg-transparent",
        className,
      )}
    >
      {children}
    </td>
  );
}
