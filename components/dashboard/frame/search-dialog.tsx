"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type KeyboardEvent, useDeferredValue, useEffect, useState } from "react";
import { SETTINGS, WORK } from "@/components/dashboard/frame/nav-items";
import { cn } from "@/components/ui/class-names";

const DIALOG = "go-to";
const LIST = "go-to-list";
/** The minimum length of a text for a record lookup. Shorter texts match pages only. */
const FEWEST = 3;

type Kind = "order" | "transfer" | "callback" | "receiving" | "sender";

interface Target {
  kind: Kind | "pages";
  name: string;
  href: string;
}

const findDialog = () => {
  const found = document.getElementById(DIALOG);
  return found instanceof HTMLDialogElement ? found : null;
};

/** Opens the search dialog. */
export function openGoTo(): void {
  findDialog()?.showModal();
}

/** Renders the search dialog (Cmd-K or Ctrl-K), which finds pages by name and records of the shop by exact match. */
export function GoTo({ shop }: { shop: string }) {
  const t = useTranslations("goTo");
  const router = useRouter();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const { targets, state } = useTargets(text, shop);
  const chosen = Math.min(at, targets.length - 1);
  useShortcut();
  const go = (target: Target | undefined) => {
    if (!target) return;
    findDialog()?.close();
    router.push(target.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && targets.length > 0) {
      event.preventDefault();
      setAt((chosen + step + targets.length) % targets.length);
    }
    if (event.key === "Enter" && !event.nativeEvent.isComposing) go(targets[chosen]);
  };
  const type = (typed: string) => {
    setText(typed);
    setAt(0);
  };
  return (
    <dialog
      id={DIALOG}
      aria-label={t("label")}
      onClose={() => type("")}
      className="mx-auto mt-[12vh] w-[min(36rem,calc(100vw-2rem))] rounded-xl border border-line bg-surface p-0 text-ink shadow-lg backdrop:bg-black/45"
    >
      <input
        type="text"
        role="combobox"
        aria-label={t("label")}
        aria-expanded={targets.length > 0}
        aria-controls={LIST}
        aria-autocomplete="list"
        aria-activedescendant={targets.length > 0 ? `${LIST}-${chosen}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={t("placeholder")}
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        className="h-12 w-full rounded-t-xl bg-transparent px-4 outline-offset-[-2px] placeholder:text-ink-soft"
      />
      <TargetList targets={targets} chosen={chosen} onGo={go} />
      <p role="status" className="px-4 py-3 text-[0.8125rem] text-ink-soft empty:hidden">
        {state === "unreachable" ? t("unreachable") : state === "nothing" ? t("nothing") : null}
      </p>
    </dialog>
  );
}

interface TargetListProps {
  targets: readonly Target[];
  chosen: number;
  onGo(target: Target): void;
}

function TargetList({ targets, chosen, onGo }: TargetListProps) {
  const t = useTranslations("goTo");
  return (
    <div
      id={LIST}
      role="listbox"
      aria-label={t("results")}
      className="max-h-[50vh] overflow-y-auto border-line border-t p-1.5 empty:hidden"
    >
      {targets.map((target, index) => (
        <button
          type="button"
          key={`${target.kind} ${target.href}`}
          id={`${LIST}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onGo(target)}
          className={cn(
            "flex w-full items-baseline gap-3 rounded-lg px-2.5 py-1.5 text-left",
            index === chosen ? "bg-accent-soft text-accent" : "hover:bg-sunken",
          )}
        >
          <span className="min-w-0 flex-1 truncate">{target.name}</span>
          <span className={cn("shrink-0 text-xs", index === chosen ? undefined : "text-ink-soft")}>
            {t(target.kind)}
          </span>
        </button>
      ))}
    </div>
  );
}

/** Returns the pages with a word that begins with the text, and the records that match it exactly. */
function useTargets(typed: string, shop: string): { targets: Target[]; state: "nothing" | "unreachable" | null } {
  const nav = useTranslations("nav");
  const text = typed.trim();
  const isEnough = text.length >= FEWEST;
  // The lookup may lag behind the input, but the target of the Enter key must not.
  const asked = useDeferredValue(text);
  const { data, isError, isFetching } = useQuery({
    queryKey: ["find", asked, shop],
    queryFn: ({ signal }) => fetchTargets(asked, shop, signal),
    enabled: asked.length >= FEWEST,
    retry: false,
  });
  const isCurrent = isEnough && asked === text;
  const begins = (name: string) =>
    ` ${name.toLowerCase()}`.includes(` ${text.toLowerCase()}`) || (text !== "" && name.startsWith(text));
  const pages = [...WORK, ...SETTINGS]
    .map(({ href, text: key }): Target => ({ kind: "pages", name: nav(key), href }))
    .filter(({ name }) => begins(name));
  const targets = [...(isCurrent ? (data ?? []) : []), ...pages];
  if (isCurrent && isError) return { targets, state: "unreachable" };
  return { targets, state: isCurrent && !isFetching && targets.length === 0 ? "nothing" : null };
}

async function fetchTargets(text: string, shop: string, signal: AbortSignal): Promise<Target[]> {
  const response = await fetch(`/dashboard/find?${new URLSearchParams({ q: text, shop })}`, {
    signal,
    redirect: "manual",
  });
  if (!response.ok) throw new Error(`Status ${response.status}`);
  return response.json();
}

function useShortcut(): void {
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      const dialog = findDialog();
      if (dialog?.open) dialog.close();
      // Another open dialog takes precedence.
      else if (!document.querySelector('[role="dialog"][data-state="open"]')) dialog?.showModal();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}
