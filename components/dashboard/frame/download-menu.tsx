import { ChevronDown, Download } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";

interface DownloadMenuProps {
  /** The path that generates the file; its query selects the contents. */
  path: string;
  query: string;
}

const FORMS = [
  { name: "csv", query: "file=csv" },
  { name: "excel", query: "file=csv&separator=semicolon&bom=1" },
  { name: "xlsx", query: "file=xlsx" },
] as const;

/** Renders the menu of file formats in which the contents of a page can be downloaded. The menu works without JavaScript. */
export function DownloadMenu({ path, query }: DownloadMenuProps) {
  const t = useTranslations("files");
  const start = `${path}${query === "" ? "?" : `${query}&`}`;
  return (
    <details className="relative ml-auto">
      <Button asChild className="cursor-pointer list-none [&::-webkit-details-marker]:hidden">
        <summary>
          <Download aria-hidden /> {t("download")} <ChevronDown aria-hidden />
        </summary>
      </Button>
      <ul className="absolute right-0 z-20 mt-1 w-60 rounded-lg border border-line bg-surface p-1 shadow-lg">
        {FORMS.map(({ name, query: form }) => (
          <li key={name}>
            <a href={start + form} download className="block rounded-md px-2.5 py-1.5 hover:bg-sunken">
              <span className="font-medium">{t(name)}</span>
              <span className="block text-ink-soft text-xs">{t(`${name}Hint`)}</span>
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
