"use client";

import { ArrowLeft, KeyRound, ListPlus, type LucideIcon, Minus, Plus, Vault, Wallet } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { AddressForm } from "@/app/dashboard/settings/addresses/add-address";
import { ListForm } from "@/app/dashboard/settings/addresses/add-address-list";
import { type KeyFamily, KeyForm } from "@/app/dashboard/settings/addresses/add-key";
import { TreasuryForm } from "@/app/dashboard/settings/addresses/add-treasury";
import type { NetworkChoice } from "@/app/dashboard/settings/addresses/address-fields";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { cn } from "@/components/ui/class-names";
import { Dialog } from "@/components/ui/dialog";

/** The networks and families for which addresses can be added. */
export interface AddTerms {
  networks: readonly NetworkChoice[];
  families: readonly KeyFamily[];
  /** The number of addresses that are derived from a key at first. */
  defaultMax: number;
}

/** A way in which customers pay. */
type PayWay = "key" | "receiver" | "shared";
type AddForm = PayWay | "list";

const WAYS: readonly PayWay[] = ["key", "receiver", "shared"];
const ICON: Record<PayWay, LucideIcon> = { key: KeyRound, receiver: Vault, shared: Wallet };

/** Renders the button that adds receiving addresses. Its dialog first asks how customers pay. */
export function AddButton(terms: AddTerms) {
  const t = useTranslations("addresses");
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        <Plus aria-hidden /> {t("addOne")}
      </Button>
      <AddDialog {...terms} isOpen={isOpen} first={null} onClose={() => setOpen(false)} />
    </>
  );
}

/** Renders the question how customers pay, with the trade-offs of each way, for a shop without addresses. */
export function PayWayCards(terms: AddTerms) {
  const t = useTranslations("payWays");
  const [form, setForm] = useState<AddForm | null>(null);
  return (
    <Card title={t("title")} hint={t("hint")} className="mb-4">
      <Ways {...terms} onChoose={setForm} isWide />
      <AddDialog {...terms} isOpen={form !== null} first={form} onClose={() => setForm(null)} />
    </Card>
  );
}

interface AddDialogProps extends AddTerms {
  isOpen: boolean;
  /** The form that is shown first; null to ask how customers pay. */
  first: AddForm | null;
  onClose(): void;
}

function AddDialog({ isOpen, first, onClose, ...terms }: AddDialogProps) {
  const t = useTranslations("payWays");
  const [chosen, setChosen] = useState<AddForm | null>(null);
  const form = chosen ?? first;
  const texts = useFormTexts();
  const close = () => {
    setChosen(null);
    onClose();
  };
  const { title, hint } = form === null ? { title: t("title"), hint: t("hint") } : texts[form];
  return (
    <Dialog isOpen={isOpen} onOpenChange={(isNowOpen) => !isNowOpen && close()} title={title} hint={hint}>
      {form === null ? (
        <Ways {...terms} onChoose={setChosen} />
      ) : (
        <FormFrame key={form} title={title} onBack={first === null ? () => setChosen(null) : null}>
          <ChosenForm {...terms} form={form} onDone={close} />
        </FormFrame>
      )}
    </Dialog>
  );
}

/** Returns the title and the hint of each form. */
function useFormTexts(): Record<AddForm, { title: string; hint: string }> {
  const t = useTranslations("addresses");
  const receivers = useTranslations("receivers");
  return {
    key: { title: t("keyTitle"), hint: t("keyHint") },
    receiver: { title: receivers("addTitle"), hint: receivers("addHint") },
    shared: { title: t("addTitle"), hint: t("addHint") },
    list: { title: t("listTitle"), hint: t("listHint") },
  };
}

function ChosenForm({ form, networks, families, defaultMax, onDone }: AddTerms & { form: AddForm; onDone(): void }) {
  switch (form) {
    case "key":
      return <KeyForm families={families} defaultMax={defaultMax} onDone={onDone} />;
    case "receiver":
      return <TreasuryForm defaultMax={defaultMax} onDone={onDone} />;
    case "shared":
      return <AddressForm networks={networks} onDone={onDone} />;
    case "list":
      return <ListForm networks={networks} onDone={onDone} />;
  }
}

interface FormFrameProps {
  title: string;
  /** Returns to the question how customers pay; null if the form was chosen on the page. */
  onBack: (() => void) | null;
  children: ReactNode;
}

/** Renders a form of the dialog, and focuses its first field when it replaces the question, because the pressed button is gone. */
function FormFrame({ title, onBack, children }: FormFrameProps) {
  const t = useTranslations("payWays");
  const frame = useRef<HTMLElement>(null);
  useEffect(() => {
    frame.current?.querySelector<HTMLElement>("form :is(input:not([type=hidden]), select, textarea)")?.focus();
  }, []);
  return (
    <section ref={frame} aria-label={title} className="grid gap-4">
      {onBack ? (
        <Button look="quiet" size="small" onClick={onBack} className="-ml-2.5 justify-self-start">
          <ArrowLeft aria-hidden /> {t("back")}
        </Button>
      ) : null}
      {children}
    </section>
  );
}

interface WaysProps extends AddTerms {
  onChoose(form: AddForm): void;
  /** True if the cards are side by side on a wide screen. */
  isWide?: boolean;
}

function Ways({ families, onChoose, isWide = false }: WaysProps) {
  const t = useTranslations("addresses");
  const ways = useTranslations("payWays");
  const isPossible = {
    key: families.length > 0,
    receiver: families.some(({ family }) => family === "evm"),
    shared: true,
  };
  return (
    <div className="grid gap-3">
      <ul className={cn("grid gap-3", isWide && "lg:grid-cols-3")}>
        {WAYS.map((way) => (
          <li key={way} className="grid">
            <WayCard way={way} isPossible={isPossible[way]} onChoose={() => onChoose(way)} />
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-[0.8125rem] text-ink-soft">
        <p>{ways("listHint")}</p>
        <Button size="small" onClick={() => onChoose("list")}>
          <ListPlus aria-hidden /> {t("addList")}
        </Button>
      </div>
    </div>
  );
}

interface WayCardProps {
  way: PayWay;
  /** True if an enabled network supports the way. */
  isPossible: boolean;
  onChoose(): void;
}

function WayCard({ way, isPossible, onChoose }: WayCardProps) {
  const t = useTranslations("payWays");
  const id = useId();
  const Icon = ICON[way];
  return (
    <div
      className={cn(
        "relative flex flex-col gap-2 rounded-xl border border-line bg-surface p-4 shadow-xs transition-colors",
        isPossible ? "hover:border-accent" : "opacity-55",
      )}
    >
      <div className="flex w-full flex-wrap items-center gap-x-2 gap-y-1">
        <Icon aria-hidden className="size-4 shrink-0 text-accent" />
        {/* The button covers the card, so that the whole card can be pressed while its name is the title alone. */}
        <button
          type="button"
          disabled={!isPossible}
          onClick={onChoose}
          aria-describedby={`${id}-text`}
          className="rounded text-left font-semibold after:absolute after:inset-0 after:rounded-xl"
        >
          {t(`${way}.title`)}
        </button>
        {way === "key" ? <Badge tone="good">{t("recommended")}</Badge> : null}
      </div>
      <div id={`${id}-text`} className="grid gap-2 text-[0.8125rem]">
        <p className="text-ink-soft">{t(`${way}.what`)}</p>
        <Point text={t(`${way}.for`)} isGood />
        <Point text={t(`${way}.against`)} />
        {isPossible ? null : <p className="text-warn">{t(`${way}.needs`)}</p>}
      </div>
    </div>
  );
}

function Point({ text, isGood = false }: { text: string; isGood?: boolean }) {
  const Icon = isGood ? Plus : Minus;
  return (
    <span className="flex gap-1.5">
      <Icon aria-hidden className={cn("mt-0.5 size-3.5 shrink-0", isGood ? "text-good" : "text-warn")} />
      <span className="min-w-0">{text}</span>
    </span>
  );
}
