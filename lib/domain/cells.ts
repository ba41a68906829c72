import { CELL } from "@/lib/domain/id";

/** The names that cells can have: two characters of an id. */
const NAME = /^[0-9a-hjkmnp-tv-z]{2}$/;

/** Whether a text can be the name of a cell. */
export const isCellName = (text: string) => NAME.test(text);

/** What only its bearer knows, with the cell that knows its hash; in the first cell the secret alone, as it always was. */
export const secretIn = (cell: string, secret: string) => (cell === CELL ? secret : `${cell}.${secret}`);

/** The cell that a secret of a link or a cookie names. It is a hint and proves nothing. */
export function cellOfSecret(text: string): string {
  const [cell = "", rest] = text.split(".");
  return rest !== undefined && isCellName(cell) ? cell : CELL;
}

/** The schema that a cell is in its database; the first one lies in whatever its connections begin with, mostly `public`. */
const schemaOf = (cell: string) => `cell_${cell}`;

/** The URL of a cell in a database: all its connections look into the cell's schema and nowhere else. */
export function urlOfCell(url: string, cell: string): string {
  return cell === CELL ? url : `${url}${url.includes("?") ? "&" : "?"}search_path=${schemaOf(cell)}`;
}

/** The cell that a URL leads to. */
export function cellOfUrl(url: string): string {
  return /[?&]search_path=cell_([0-9a-z]{2})(?:&|$)/.exec(url)?.[1] ?? CELL;
}

/** The schema that has to be there before a URL's tables are made; null: its connections bring one. */
export function schemaOfUrl(url: string): string | null {
  const cell = cellOfUrl(url);
  return cell === CELL ? null : schemaOf(cell);
}
