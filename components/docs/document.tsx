/** @jsxImportSource hono/jsx */
import { html, raw } from "hono/html";
import { Facts, Fields, Rich, Sample } from "@/components/docs/parts";
import { DOCS_STYLE } from "@/components/docs/style";
import { contentPolicy } from "@/components/pay/policy";
import type { Answer, OpenApiDocument, Operation } from "@/lib/domain/api/open-api";

interface Page {
  html: string;
  /** Lets exactly its own style sheet work, and nothing else. */
  policy: string;
}

const POLICY = contentPolicy({ styles: [DOCS_STYLE], script: null });
const JSON_TYPE = "application/json";

/** The document of the API, for people. */
export function docsPage(document: OpenApiDocument): Page {
  const { info } = document;
  const body = (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="top">
        <h1>{info.title} API</h1>
        <p>
          Version {info.version} · <a href="/api/openapi.json">OpenAPI document</a> for programs
        </p>
      </header>
      <div class="columns">
        <Contents document={document} />
        <main id="content">
          <Introduction document={document} />
          {listOperations(document).map((entry) => (
            <OperationSection key={entry.operation.operationId} document={document} entry={entry} />
          ))}
          <Webhooks document={document} />
          <Objects document={document} />
        </main>
      </div>
      <footer class="foot">Stablegate, {info.license.name} licence</footer>
    </>
  );
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title} API</title>
<link rel="icon" href="/icon.svg">
<style>${raw(DOCS_STYLE)}</style>
</head>
<body>${body}</body>
</html>
`;
  return { html: String(page), policy: POLICY };
}

interface Entry {
  method: string;
  path: string;
  operation: Operation;
}

function listOperations({ paths }: OpenApiDocument): Entry[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function Contents({ document }: { document: OpenApiDocument }) {
  const entries = listOperations(document);
  return (
    <nav aria-label="Contents">
      {document.tags.map(({ name }) => (
        <div key={name}>
          <h2>{name}</h2>
          <ul>
            {entries
              .filter(({ operation }) => operation.tags.includes(name))
              .map(({ operation: { operationId, summary } }) => (
                <li key={operationId}>
                  <a href={`#${operationId}`}>{summary}</a>
                </li>
              ))}
            {name === "Events" && (
              <li>
                <a href="#webhooks">Callbacks</a>
              </li>
            )}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function Introduction({ document }: { document: OpenApiDocument }) {
  const { servers, components, info } = document;
  return (
    <section>
      <h2>How it works</h2>
      <Rich text={info.description} />
      <Sample title="Address" text={servers.map(({ url }) => url).join("\n")} />
      <Facts
        title="Keys and signatures"
        rows={Object.values(components.securitySchemes).map(({ name, scheme, description }) => [
          name ?? `Authorization: ${scheme}`,
          description ?? "",
        ])}
      />
      <Facts
        title="Headers of answers"
        rows={Object.entries(components.headers).map(([name, { description }]) => [name, description])}
      />
    </section>
  );
}

function OperationSection({ document, entry }: { document: OpenApiDocument; entry: Entry }) {
  const { method, path, operation } = entry;
  const asked = operation.requestBody?.content[JSON_TYPE];
  const answered = operation.responses["200"]?.content?.[JSON_TYPE];
  const example = { server: document.servers[0]?.url ?? "", path, body: asked?.example };
  return (
    <section id={operation.operationId}>
      <h2>{operation.summary}</h2>
      <p class="path">
        <span class="method">{method}</span> <code>{path}</code>
      </p>
      <Rich text={operation.description} />
      {asked && <Fields document={document} schema={asked.schema} title="Fields" isRequest />}
      {asked && <Sample title="Request" text={curlText(example)} />}
      {answered?.example !== undefined && <Sample title="Answer" text={JSON.stringify(answered.example, null, 2)} />}
      {answered && <Fields document={document} schema={dataOf(answered.schema)} title="What is answered" />}
      <Facts
        title="HTTP status"
        rows={Object.entries(operation.responses).map(([status, { description }]) => [status, description])}
      />
    </section>
  );
}

/** Returns the schema of the envelope's data, if there is an envelope. */
function dataOf(schema: NonNullable<Answer["content"]>[string]["schema"]) {
  return schema.properties?.["data"] ?? schema;
}

function curlText({ server, path, body }: { server: string; path: string; body: unknown }): string {
  const text = JSON.stringify(body).replaceAll("'", "'\\''");
  return `curl ${server}${path} \\\n  -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\\n  -d '${text}'`;
}

function Webhooks({ document }: { document: OpenApiDocument }) {
  const hooks = Object.entries(document.webhooks);
  const first = hooks[0]?.[1].post;
  const body = first?.requestBody?.content[JSON_TYPE];
  return (
    <section id="webhooks">
      <h2>Callbacks</h2>
      <p class="path">
        <span class="method">POST</span> <code>notify_url</code>
      </p>
      <Rich text={first?.description ?? ""} />
      <Facts title="Types" rows={hooks.map(([type, { post }]) => [type, post?.summary ?? ""])} />
      <Facts title="Headers" rows={(first?.parameters ?? []).map(({ name, description }) => [name, description])} />
      {body && <Fields document={document} schema={body.schema} title="Body" />}
      <Sample title="Example" text={JSON.stringify(body?.example, null, 2)} />
    </section>
  );
}

/** Objects that answers refer to by name. */
function Objects({ document }: { document: OpenApiDocument }) {
  const named = ["Order", "Transfer", "Callback", "Event", "OfferedNetwork", "KnownNetwork", "Network"];
  return (
    <>
      {named.map((name) => {
        const schema = document.components.schemas[name];
        return (
          schema && (
            <section key={name} id={`schema-${name}`}>
              <h2>{name}</h2>
              <Rich text={schema.description ?? ""} />
              {schema.enum ? (
                <Rich text={schema.enum.map((value) => `\`${value}\``).join(", ")} />
              ) : (
                <Fields document={document} schema={schema} title="Fields" />
              )}
            </section>
          )
        );
      })}
    </>
  );
}
