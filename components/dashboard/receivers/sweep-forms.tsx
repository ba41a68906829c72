import { Download } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/form/field";
import { getNetwork } from "@/lib/domain/networks";

/** Renders the field for the minimum balance that is worth sweeping. */
export function MinAmountForm({ path, typed, isInvalid }: { path: string; typed: string; isInvalid: boolean }) {
  const t = useTranslations("receivers");
  return (
    <form action={path} className="flex flex-wrap items-start gap-x-2 gap-y-3">
      <div className="w-72 max-w-full">
        <TextField
          key={typed}
          label={t("sweeping.min")}
          name="min"
          inputMode="decimal"
          autoComplete="off"
          defaultValue={typed}
          hint={t("sweeping.minHint")}
          error={isInvalid ? t("sweeping.minInvalid") : undefined}
        />
      </div>
      <Button type="submit" className="sm:mt-7">
        {t("sweeping.apply")}
      </Button>
    </form>
  );
}

interface TargetFormProps {
  path: string;
  sweep: { network: string; source: string; min?: string };
  typed: string;
  /** The error message for the input. */
  problem: string | undefined;
  /** The URL of unsigned transfers to the destination; null until one is entered. */
  file: string | null;
}

/**
 * Renders the field for the sweep destination of a public key's addresses. The user enters the destination each time, because it is not
 * stored.
 */
export function TargetForm({ path, sweep, typed, problem, file }: TargetFormProps) {
  const t = useTranslations("receivers");
  return (
    <form action={path} className="grid grid-cols-1 gap-3 border-line border-t pt-3">
      {Object.entries(sweep).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <TextField
        key={typed}
        label={t("sweeping.target")}
        name="to"
        autoComplete="off"
        spellCheck={false}
        isMono
        defaultValue={typed}
        hint={t("sweeping.targetHint", { network: getNetwork(sweep.network).name })}
        error={problem}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit">{t("sweeping.prepare")}</Button>
        {file ? (
          <Button asChild>
            <a href={file} download>
              <Download aria-hidden /> {t("sweeping.plan")}
            </a>
          </Button>
        ) : null}
      </div>
    </form>
  );
}
