/** @jsxImportSource hono/jsx */
import { schemaText } from "@/components/docs/schema-text";
import type { OpenApiDocument } from "@/lib/domain/api/open-api";
import type { Schema } from "@/lib/domain/fields/json-schema";

const NAMED = /\b(Order|Transfer|Callback|Event|OfferedNetwork|KnownNetwork|Network)\b/;

/** Paragraphs with `code` between backticks. */
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

/** A text as it is. */
export function Sample({ title, text }: { title: string; text: string }) {
  return (
    <>
      <h3>{title}</h3>
      <pre>{text}</pre>
    </>
  );
}

/** Names, and what there is to say of each. */
export function Facts({ title, rows }: { title: string; rows: readonly (readonly [name: string, text: string])[] }) {
  return (
    <>
      <h3>{title}</h3>
      <dl class="fields">
        {rows.map(([name, text]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>
              <Rich text={text} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

interface FieldsProps {
  document: OpenApiDocument;
  schema: Schema;
  title: string;
  isRequest?: boolean;
}

/** The members of an object; of one that is named elsewhere on the page, a link. */
export function Fields({ document, schema, title, isRequest = false }: FieldsProps) {
  const named = (name: string) => document.components.schemas[name];
  const shown = schema.$ref ? named(schemaText(schema)) : schema;
  const members = Object.entries(shown?.properties ?? {});
  if (members.length === 0) return null;
  const isNamed = schema.$ref !== undefined && NAMED.test(schemaText(schema));
  return (
    <>
      <h3>{title}</h3>
      {isNamed ? (
        <Kind label={schemaText(schema)} />
      ) : (
        <dl class="fields">
          {members.map(([name, member]) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
                <Kind label={schemaText(member)} />
                {isRequest && shown?.required?.includes(name) && <span class="must">required</span>}
              </dt>
              <dd>
                <Rich text={member.description ?? named(schemaText(member))?.description ?? ""} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

/** Renders the type of a value; names of objects link to them. */
function Kind({ label }: { label: string }) {
  const parts = label.split(NAMED);
  return (
    <span class="kind">
      {parts.map((part, index) =>
        index % 2 === 1 ? (
          <a key={String(index)} href={`#schema-${part}`}>
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </span>
  );
}
