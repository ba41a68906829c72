/** @jsxImportSource hono/jsx */
import type { Child } from "hono/jsx";
import { languagesOf, type SampleRequest } from "@/components/docs/code-samples";
import { type ObjectFields, objectsIn } from "@/components/docs/reference";
import { schemaText } from "@/components/docs/schema-text";
import type { OpenApiDocument } from "@/lib/domain/api/open-api";
import type { Schema } from "@/lib/domain/fields/json-schema";

/** The maximum depth to which nested objects are shown. No object of the API is nested more deeply. */
const MAX_DEPTH = 4;

/** Renders paragraphs with `code` between backticks. */
export function Rich({ text }: { text: string }) {
  const paragraphs = text.split("\n\n").filter((paragraph) => paragraph !== "");
  return (
    <>
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>
          {paragraph
            .split("`")
            .map((part, index) => (index % 2 === 1 ? <code key={String(index)}>{part}</code> : part))}
        </p>
      ))}
    </>
  );
}

/** Renders a heading with a link to itself. */
export function Heading({ id, children }: { id: string; children: Child }) {
  return (
    <h2 id={id}>
      {children}
      <a class="anchor" href={`#${id}`} aria-label="Link to this section">
        #
      </a>
    </h2>
  );
}

/** A pattern for strings and comments in the languages of the examples. */
const TOKENS = /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\])*'|`[^`]*`)|((?:^|\s)(?:#|\/\/)[^\n]*)/;

interface CodeProps {
  text: string;
  label: string;
  /** The language of the code, if the example has several. */
  language?: string;
  isHidden?: boolean;
}

/** Renders code with highlighted strings and comments, and a button that copies it. */
export function Code({ text, label, language, isHidden = false }: CodeProps) {
  return (
    <section class="code" data-lang={language} aria-label={label} hidden={isHidden}>
      <pre tabindex={0}>
        <code>
          {text.split(TOKENS).map((part, index) => {
            if (part === undefined || index % 3 === 0) return part;
            return (
              <span key={String(index)} class={index % 3 === 1 ? "string" : "comment"}>
                {part}
              </span>
            );
          })}
        </code>
      </pre>
      <button type="button" class="copy" data-copy hidden>
        Copy
      </button>
    </section>
  );
}

/** Renders a request in each language of the examples. Without JavaScript, only the first language is visible. */
export function Samples({ request }: { request: SampleRequest }) {
  const languages = languagesOf(request);
  return (
    <div class="samples">
      <LanguagePicker languages={languages} />
      {languages.map(({ id, name, write }, index) => (
        <Code key={id} text={write(request)} label={`Request with ${name}`} language={id} isHidden={index > 0} />
      ))}
    </div>
  );
}

/** Renders the language menu. A script shows it and handles its changes. */
export function LanguagePicker({ languages }: { languages: readonly { id: string; name: string }[] }) {
  return (
    <label class="languages" hidden>
      <span class="hidden">Language of the example</span>
      <select data-language>
        {languages.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

interface FactsProps {
  rows: readonly (readonly [name: string, text: string])[];
  /** The prefix for the row ids; without it, the rows have no ids. */
  prefix?: string;
}

/** Renders names with their descriptions. */
export function Facts({ rows, prefix }: FactsProps) {
  return (
    <dl class="fields">
      {rows.map(([name, text]) => (
        <div key={name} id={prefix === undefined ? undefined : `${prefix}-${name}`}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>
            <Rich text={text} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface FieldsProps {
  document: OpenApiDocument;
  schema: Schema;
  /** The prefix for the field ids: "request" or "response". */
  prefix: string;
}

/** Renders the fields of an object. Objects within it are collapsed. */
export function Fields({ document, schema, prefix }: FieldsProps) {
  return (
    <>
      {objectsIn(document, schema).map((object) => (
        <FieldList key={object.name} document={document} object={object} prefix={prefix} depth={1} />
      ))}
    </>
  );
}

interface FieldListProps extends Omit<FieldsProps, "schema"> {
  object: ObjectFields;
  depth: number;
}

function FieldList({ document, object: { fields, required }, prefix, depth }: FieldListProps) {
  return (
    <dl class="fields">
      {fields.map(([name, schema]) => (
        <div key={name} id={`${prefix}-${name}`}>
          <dt>
            <code>{name}</code>
            <span class="kind">{valuesOf(document, schema).length > 0 ? "string" : schemaText(schema)}</span>
            {prefix === "request" && required.has(name) && <span class="required">required</span>}
          </dt>
          <dd>
            <Rich text={descriptionOf(document, schema)} />
            <Values values={valuesOf(document, schema)} />
            {depth < MAX_DEPTH &&
              objectsIn(document, schema).map((object) => (
                <details key={object.name} class="nested">
                  <summary>
                    {object.name === "" ? "Fields" : `Fields of ${object.name}`} ({object.fields.length})
                  </summary>
                  <FieldList document={document} object={object} prefix={`${prefix}-${name}`} depth={depth + 1} />
                </details>
              ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Renders the possible values of a field, collapsed. */
function Values({ values }: { values: readonly (string | number | null)[] }) {
  if (values.length === 0) return null;
  return (
    <details class="nested">
      <summary>Values ({values.length})</summary>
      <p>
        {values.map((value) => (
          <>
            <code>{String(value)}</code>{" "}
          </>
        ))}
      </p>
    </details>
  );
}

/** Returns the values of a field whose schema is a named list of values. */
function valuesOf(document: OpenApiDocument, { $ref }: Schema): readonly (string | number | null)[] {
  return document.components.schemas[$ref?.split("/").at(-1) ?? ""]?.enum ?? [];
}

function descriptionOf(document: OpenApiDocument, { description, $ref }: Schema): string {
  return description ?? document.components.schemas[$ref?.split("/").at(-1) ?? ""]?.description ?? "";
}
