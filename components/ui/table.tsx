import type { CSSProperties, ReactNode } from "react";
import { cn } from "@/components/ui/class-names";

interface TableProps {
  /** The caption of the table, for screen readers. */
  caption: string;
  head: readonly { text: string; isRight?: boolean; isHidden?: boolean; className?: string }[];
  children: ReactNode;
}

/**
 * Renders a table. On a phone each row is a card, whose lines begin with the names of the columns; columns that a wider screen has no room
 * for are lines of the card as well (app/globals.css). Between both, a table that is wider than the screen scrolls horizontally.
 */
export function Table({ caption, head, children }: TableProps) {
  return (
    <div className="row-cards relative overflow-x-auto border-line border-t first:border-t-0" style={columnNames(head)}>
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

/** Returns the CSS variables that contain the names of the columns, as CSS strings. */
function columnNames(head: TableProps["head"]): CSSProperties {
  return Object.fromEntries(
    head.map(({ text, isHidden }, index) => [`--column-${index + 1}`, JSON.stringify(isHidden ? "" : text)]),
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
  /** True if the column has actions. */
  isAction?: boolean;
  /** True if the text may wrap; otherwise the cell has one line. */
  isWrapped?: boolean;
  /** True if the cell has no value, so that the card of a phone omits it. */
  isEmpty?: boolean;
  className?: string;
}

/** Renders a cell of Table. */
export function Cell({ children, isRight, isAction, isWrapped, isEmpty, className }: CellProps) {
  return (
    <td
      className={cn(
        "px-3 py-2.5 align-middle first:pl-4 last:pr-4 sm:first:pl-5 sm:last:pr-5",
        !isWrapped && "whitespace-nowrap",
        isRight && "text-right",
        isAction && "text-right",
        isEmpty && "no-line",
        className,
      )}
    >
      <div className="min-w-0 sm:contents">{children}</div>
    </td>
  );
}
