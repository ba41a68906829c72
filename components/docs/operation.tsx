/** @jsxImportSource hono/jsx */
import { pretty } from "@/components/docs/code-samples";
import { Code, Facts, Fields, Heading, Rich, Samples } from "@/components/docs/parts";
import {
  dataOf,
  exampleOf,
  JSON_TYPE,
  needsKey,
  objectsIn,
  type ReferenceOperation,
  urlOf,
} from "@/components/docs/reference";
import type { OpenApiDocument } from "@/lib/domain/api/open-api";

interface OperationProps {
  document: OpenApiDocument;
  entry: ReferenceOperation;
}

/** Renders an operation: its description and fields, and beside them the example and the form that sends a request. */
export function OperationArticle({ document, entry }: OperationProps) {
  const { method, path, operation } = entry;
  const request = operation.requestBody?.content[JSON_TYPE];
  const response = operation.responses["200"]?.content?.[JSON_TYPE];
  const hasFields = request && objectsIn(document, request.schema).some(({ fields }) => fields.length > 0);
  return (
    <article class="split">
      <div class="text">
        <h1>{operation.summary}</h1>
        <p class="path">
          <span class="method">{method}</span> <code>{path}</code>
        </p>
        <Rich text={operation.description} />
        {operation.parameters && operation.parameters.length > 0 && (
          <>
            <Heading id="parameters">Parameters</Heading>
            <Facts prefix="request" rows={operation.parameters.map(({ name, description }) => [name, description])} />
          </>
        )}
        {request && hasFields && (
          <>
            <Heading id="request">Request fields</Heading>
            <Fields document={document} schema={request.schema} prefix="request" />
          </>
        )}
        {response && (
          <>
            <Heading id="response">Response fields{response.schema.properties?.["data"] && " in data"}</Heading>
            <Fields document={document} schema={dataOf(response.schema)} prefix="response" />
          </>
        )}
        <Heading id="status">HTTP status codes</Heading>
        <Facts rows={Object.entries(operation.responses).map(([status, { description }]) => [status, description])} />
        {needsKey(operation) && (
          <p>
            Every error has a code and a message: see <a href={urlOf("errors")}>Errors</a>.
          </p>
        )}
      </div>
      <Examples document={document} entry={entry} />
    </article>
  );
}

function Examples({ document, entry }: OperationProps) {
  const server = document.servers[0]?.url ?? "";
  const request = exampleOf(entry, server);
  const response = entry.operation.responses["200"]?.content?.[JSON_TYPE];
  return (
    <aside class="examples" aria-label="Examples">
      <h2>Request</h2>
      <Samples request={request} />
      {response?.example !== undefined && (
        <>
          <h2>Response</h2>
          <Code text={pretty(response.example)} label="Response" />
        </>
      )}
      {!request.isStream && <TryForm document={document} entry={entry} />}
    </aside>
  );
}

/**
 * Renders the form that sends a request to this installation. The form is hidden until a script shows it, because it requires JavaScript.
 */
function TryForm({ document, entry: { method, path, operation } }: OperationProps) {
  const body = operation.requestBody?.content[JSON_TYPE]?.example;
  const isSecured = needsKey(operation);
  return (
    <form class="try" data-method={method} data-path={path} hidden>
      <h2>Try it</h2>
      <p>
        Sends the request to this installation, {document.servers[0]?.url}.
        {isSecured && " The key stays in this tab and is sent nowhere else."}
      </p>
      {isSecured && (
        <label>
          API key
          <input type="password" name="key" autocomplete="off" spellcheck={false} required />
        </label>
      )}
      {operation.parameters?.map((parameter) => (
        <label key={parameter.name}>
          {parameter.name}
          <input
            name={parameter.name}
            data-in={parameter.in}
            autocomplete="off"
            spellcheck={false}
            required={parameter.required}
          />
        </label>
      ))}
      {method === "POST" && (
        <label>
          Request body
          <textarea name="body" rows={10} spellcheck={false}>
            {pretty(body)}
          </textarea>
        </label>
      )}
      <button type="submit" class="primary">
        Send request
      </button>
      <div class="result" role="status" aria-live="polite" hidden>
        <p data-result-status />
        <section aria-label="Response of this installation">
          <pre tabindex={0} class="response">
            <code data-result />
          </pre>
        </section>
      </div>
    </form>
  );
}
