import { Readable } from "node:stream";
import { ZipFile } from "yazl";
import { type Cell, csvLine, escapeXml, type FileForm, sheetRow } from "@/lib/domain/reports";

/** Rows of a file as they are read, a few hundred at a time. */
export type RowSource = AsyncIterable<readonly (readonly Cell[])[]>;

/** A table of a file: its name, its header, and its rows, which are read on demand. */
export interface Sheet {
  name: string;
  head: readonly string[];
  rows: RowSource;
}

/** The maximum number of rows of a sheet in spreadsheets. */
export const ROWS_A_SHEET = 1_048_576;

/**
 * Returns a file as a stream that does not read ahead of its consumer, so that only a few hundred rows are in memory at any length.
 * `cancel` stops reading. A CSV file contains only the last sheet.
 * @param rowsASheet the maximum number of rows per sheet; a longer table continues on an additional sheet
 */
export function streamFile(
  sheets: readonly [Sheet, ...Sheet[]],
  form: FileForm,
  rowsASheet = ROWS_A_SHEET,
): ReadableStream<Uint8Array> {
  const [sheet = sheets[0]] = sheets.slice(-1);
  const source = form.kind === "csv" ? Readable.from(csvChunks(sheet, form)) : workbook(sheets, rowsASheet);
  return Readable.toWeb(source) as ReadableStream<Uint8Array>;
}

async function* csvChunks({ head, rows }: Sheet, form: FileForm): AsyncGenerator<Buffer> {
  yield Buffer.from((form.hasBom ? "\ufeff" : "") + csvLine(head, form));
  for await (const some of rows) yield Buffer.from(some.map((row) => csvLine(row, form)).join(""));
}

const HEAD = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n`;
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** Returns an Office Open XML workbook: a ZIP file whose sheets are deflated while they are written (ECMA-376, parts 1 and 2). */
function workbook(sheets: readonly Sheet[], rowsASheet: number): Readable {
  const zip = new ZipFile();
  const names: string[] = [];
  const output = zip.outputStream;
  if (!(output instanceof Readable)) throw new Error("The output of a ZIP file must be a stream that can be ended");
  const fail = (error: Error) => output.destroy(error);
  zip.on("error", fail);
  const waiting = sheets.map((sheet) => ({ ...sheet, reader: createReader(sheet.rows) }));
  const next = () => {
    const sheet = waiting[0];
    if (!sheet) return close(zip, names);
    names.push(names.includes(sheet.name) ? `${sheet.name} ${names.length + 1}` : sheet.name);
    zip.addReadStreamLazy(`xl/worksheets/sheet${names.length}.xml`, {}, (answer) => {
      const xml = Readable.from(sheetChunks(sheet.head, sheet.reader, rowsASheet));
      xml.once("error", fail);
      xml.once("end", () => {
        if (sheet.reader.isDone) waiting.shift();
        next();
      });
      output.once("close", () => xml.destroy());
      answer(null, xml);
    });
  };
  next();
  return output;
}

/** A reader of single rows, which continues where one sheet ends and the next begins. */
interface RowReader {
  /** True if there are no more rows. Updated by `look`. */
  isDone: boolean;
  /** Returns the next row without consuming it; null after the last. */
  look(): Promise<readonly Cell[] | null>;
  step(): void;
  close(): Promise<void>;
}

function createReader(rows: RowSource): RowReader {
  const source = rows[Symbol.asyncIterator]();
  let some: readonly (readonly Cell[])[] = [];
  let at = 0;
  const reader: RowReader = {
    isDone: false,
    async look() {
      while (at >= some.length && !reader.isDone) {
        const { value, done } = await source.next();
        if (done) reader.isDone = true;
        else [some, at] = [value, 0];
      }
      return some[at] ?? null;
    },
    step: () => void at++,
    close: async () => void (await source.return?.()),
  };
  return reader;
}

const ROWS_A_CHUNK = 200;

async function* sheetChunks(head: readonly string[], reader: RowReader, max: number): AsyncGenerator<Buffer> {
  let isWhole = false;
  try {
    let text = `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>${sheetRow(head)}`;
    for (let count = 1; count < max; count++) {
      const row = await reader.look();
      if (row === null) break;
      reader.step();
      text += sheetRow(row);
      if (count % ROWS_A_CHUNK === 0) {
        yield Buffer.from(text);
        text = "";
      }
    }
    await reader.look();
    yield Buffer.from(`${text}</sheetData></worksheet>`);
    isWhole = true;
  } finally {
    if (!isWhole) await reader.close();
  }
}

/** Writes the parts that name the sheets, after all sheets are known. */
function close(zip: ZipFile, names: readonly string[]): void {
  const add = (path: string, text: string) => zip.addBuffer(Buffer.from(HEAD + text), path);
  const numbers = names.map((_, index) => index + 1);
  const part = (path: string, type: string) => `<Override PartName="/xl/${path}" ContentType="${TYPE}.${type}+xml"/>`;
  const link = (id: number, type: string, target: string) =>
    `<Relationship Id="r${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`;
  add(
    "[Content_Types].xml",
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${part("workbook.xml", "sheet.main")}${part("styles.xml", "styles")}${numbers.map((number) => part(`worksheets/sheet${number}.xml`, "worksheet")).join("")}</Types>`,
  );
  add("_rels/.rels", relations(link(1, "officeDocument", "xl/workbook.xml")));
  add(
    "xl/workbook.xml",
    `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${names.map((name, index) => `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" r:id="r${index + 1}"/>`).join("")}</sheets></workbook>`,
  );
  add(
    "xl/_rels/workbook.xml.rels",
    relations(
      numbers.map((number) => link(number, "worksheet", `worksheets/sheet${number}.xml`)).join("") +
        link(names.length + 1, "styles", "styles.xml"),
    ),
  );
  add(
    "xl/styles.xml",
    `<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="1"><font/></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>`,
  );
  zip.end();
}

function relations(links: string): string {
  return `<Relationships xmlns="${PACKAGE}/relationships">${links}</Relationships>`;
}
