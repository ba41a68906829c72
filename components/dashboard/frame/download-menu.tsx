import { ChevronDown, Download } from "lucide-react";
import { Button } from "@/components/ui/button";

interface DownloadMenuProps {
  /** Where the file is made, with the query of what it holds. */
  path: string;
  query: string;
}

const FORMS = [
  { text: "CSV", hint: "Commas and decimal points", query: "file=csv" },
  { text: "CSV for Excel", hint: "Semicolons and decimal commas", query: "file=csv&separator=semicolon&bom=1" },
  { text: "XLSX", hint: "A workbook; any spreadsheet reads it", query: "file=xlsx" },
];

/** The forms in which what a page shows can be kept as a file. Works without script. */
export function DownloadMenu({ path, query }: DownloadMenuProps) {
  const start = `${path}${query === "" ? "?" : `${query}&`}`;
  return (
    <details className="relative">
      <Button asChild className="cursor-pointer list-none [&::-webkit-details-marker]:hidden">
        <summary>
          <Download aria-hidden /> Download <ChevronDown aria-hidden />
        </summary>
      </Button>
      <ul className="absolute left-0 z-20 mt-1 w-60 rounded-lg border border-line bg-surface p-1 shadow-lg sm:right-0 sm:left-auto">
        {FORMS.map(({ text, hint, query: form }) => (
          <li key={text}>
            <a href={start + form} download className="block rounded-md px-2.5 py-1.5 hover:bg-sunken">
              <span className="font-medium">{text}</span>
              <span className="block text-ink-soft text-xs">{hint}</span>
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
