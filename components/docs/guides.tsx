/** @jsxImportSource hono/jsx */
import {
  VERIFY_CSHARP,
  VERIFY_GO,
  VERIFY_JAVA,
  VERIFY_NODE,
  VERIFY_PHP,
  VERIFY_PYTHON,
  VERIFY_RUBY,
} from "@/components/docs/assets";
import { pretty, type SampleRequest } from "@/components/docs/code-samples";
import { Code, Facts, Fields, Heading, LanguagePicker, Rich, Samples } from "@/components/docs/parts";
import { JSON_TYPE, listPages, slugOf, urlOf } from "@/components/docs/reference";
import type { OpenApiDocument } from "@/lib/domain/api/open-api";

interface GuideProps {
  document: OpenApiDocument;
}

const VERIFIERS = [
  { id: "node", name: "Node", code: VERIFY_NODE },
  { id: "php", name: "PHP", code: VERIFY_PHP },
  { id: "python", name: "Python", code: VERIFY_PYTHON },
  { id: "go", name: "Go", code: VERIFY_GO },
  { id: "java", name: "Java", code: VERIFY_JAVA },
  { id: "csharp", name: "C#", code: VERIFY_CSHARP },
  { id: "ruby", name: "Ruby", code: VERIFY_RUBY },
];

/** Renders the start page: how a payment works, the first request, and all operations. */
export function IntroductionArticle({ document }: GuideProps) {
  const server = document.servers[0]?.url ?? "";
  const pages = listPages(document).filter(({ operation }) => operation !== null);
  const groups = document.tags.filter(({ name }) => pages.some(({ group }) => group === name));
  return (
    <article class="split">
      <div class="text">
        <h1>{document.info.title} API</h1>
        <p class="lead">Create payment orders in USDT and USDC and receive a webhook when each payment is final.</p>
        <Rich text={document.info.description} />
        <p>
          This installation is <code>{server}</code>. Its <a href="/api/openapi.json">OpenAPI 3.1 document</a> describes
          the same API for programs.
        </p>
        {groups.map(({ name, description }) => (
          <section key={name}>
            <Heading id={name.toLowerCase()}>{name}</Heading>
            <p>{description}</p>
            <ul class="operations">
              {pages
                .filter(({ group }) => group === name)
                .map(({ slug, title, operation }) => (
                  <li key={slug} id={operation?.operation.operationId}>
                    <a href={urlOf(slug)}>{title}</a>
                    <span class="path">
                      <span class="method">{operation?.method}</span> <code>{operation?.path}</code>
                    </span>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </div>
      <aside class="examples" aria-label="First request">
        <h2>First request</h2>
        <p>
          Create an API key in the <a href="/dashboard/settings/api-keys">back office</a>, then check it:
        </p>
        <Samples request={checkKey(server)} />
        <p>
          Then <a href={urlOf(slugOf("createOrder"))}>create an order</a> and send the payer to its{" "}
          <code>payment_url</code>.
        </p>
      </aside>
    </article>
  );
}

/** Renders the article about authentication. */
export function AuthenticationArticle({ document }: GuideProps) {
  const { securitySchemes } = document.components;
  return (
    <article class="split">
      <div class="text">
        <h1>Authentication</h1>
        <p class="lead">
          Send an API key with every request. Keys belong on your server, never in a browser or an app.
        </p>
        <Heading id="schemes">Schemes</Heading>
        <Facts
          prefix="scheme"
          rows={Object.values(securitySchemes).map(({ name, scheme, description }) => [
            name ?? `Authorization: ${scheme}`,
            description ?? "",
          ])}
        />
        <Heading id="rotation">Rotate a key</Heading>
        <p>
          Rotating a key in the back office creates its successor. Both are valid during the overlap that you choose, so
          that your server can change to the new key without an interruption.
        </p>
      </div>
      <aside class="examples" aria-label="Example">
        <h2>Request with a key</h2>
        <Samples request={checkKey(document.servers[0]?.url ?? "")} />
      </aside>
    </article>
  );
}

/** Renders the article about the common properties of all requests and responses. */
export function RequestsArticle({ document }: GuideProps) {
  return (
    <article class="split">
      <div class="text">
        <h1>Requests and responses</h1>
        <p class="lead">Every operation takes and returns JSON, in one envelope.</p>
        <Heading id="envelope">Envelope</Heading>
        <Facts
          rows={[
            ["code", "0 on success, otherwise the code of the error."],
            ["message", "`success`, or a description of the error for developers."],
            ["data", "The result of the request. It is absent if the request failed."],
            ["errors", "One entry with `field` and `message` for each invalid field of a request."],
            ["request_id", "Identifies the request in the operator's logs."],
          ]}
        />
        <Heading id="values">Values</Heading>
        <Facts
          rows={[
            [
              "Amounts",
              'Decimal numbers with at most 6 decimals. A decimal string such as `"12.50"` is read exactly. Responses return numbers.',
            ],
            ["Times", "Unix seconds, except `timestamp` of events, which is an ISO 8601 time."],
            ["Unknown fields", "They are ignored in requests. New fields can be added to responses and webhooks."],
          ]}
        />
        <Heading id="idempotency">Idempotency</Heading>
        <p>
          Repeat a request whenever you did not receive its response. Creating an order is idempotent by{" "}
          <code>mch_order_id</code>: a repeat with the same terms returns the existing order with the header{" "}
          <code>Idempotent-Replayed: true</code>, and a repeat with other terms is refused with the code 10004.
        </p>
        <Heading id="pagination">Pagination</Heading>
        <p>
          Lists take <code>limit</code> and a cursor. Send the cursor of a response with the next request until it is
          null. Rows that exist when you start are on exactly one page.
        </p>
        <Heading id="headers">Response headers</Heading>
        <Facts
          prefix="header"
          rows={Object.entries(document.components.headers).map(([name, { description }]) => [name, description])}
        />
      </div>
      <EnvelopeExamples />
    </article>
  );
}

function EnvelopeExamples() {
  return (
    <aside class="examples" aria-label="Examples">
      <h2>Success</h2>
      <Code
        label="Success"
        text={pretty({ code: 0, message: "success", data: { trade_id: "01kaq2v8x3…" }, request_id: "01kaq2v8x1…" })}
      />
      <h2>Invalid request</h2>
      <Code
        label="Invalid request"
        text={pretty({
          code: 10001,
          message: "amount must be a number above 0",
          errors: [{ field: "amount", message: "must be a number above 0" }],
          request_id: "01kaq2v8x2…",
        })}
      />
    </aside>
  );
}

/** Renders all error codes with their HTTP statuses. */
export function ErrorsArticle({ document }: GuideProps) {
  const codes = Object.entries(document.components.schemas).flatMap(([name, { description = "" }]) => {
    const code = /^Error(\d+)$/.exec(name)?.[1];
    return code ? [[code, description] as const] : [];
  });
  return (
    <article>
      <div class="text">
        <h1>Errors</h1>
        <p class="lead">
          Use <code>code</code> in programs and <code>message</code> in logs. Messages are for developers and can
          change.
        </p>
        <Heading id="codes">Codes</Heading>
        <Facts prefix="error" rows={codes.map(([code, text]) => [code, `${text}${statusText(document, code)}`])} />
        <Heading id="retry">What to retry</Heading>
        <p>
          Repeat requests that failed with 10005, 10006 or 10099, or without a response. Wait for the number of seconds
          in <code>Retry-After</code>. All other errors stay until you change the request.
        </p>
      </div>
    </article>
  );
}

/** Returns the HTTP status of an error code as a sentence, taken from the operations that can return the code. */
function statusText({ paths }: OpenApiDocument, code: string): string {
  const statuses = Object.values(paths).flatMap(({ post }) =>
    Object.entries(post?.responses ?? {}).flatMap(([status, { content }]) =>
      content?.[JSON_TYPE]?.schema.$ref?.endsWith(`/Error${code}`) ? [status] : [],
    ),
  );
  const found = [...new Set(statuses)].sort();
  return found.length === 0 ? "" : ` HTTP status ${found.join(" or ")}.`;
}

/** Renders the webhooks: events, headers, body, retries, and code that verifies signatures. */
export function WebhooksArticle({ document }: GuideProps) {
  const hooks = Object.entries(document.webhooks);
  const post = hooks[0]?.[1].post;
  const body = post?.requestBody?.content[JSON_TYPE];
  return (
    <article class="split">
      <div class="text">
        <h1>Webhooks</h1>
        <p class="lead">
          The service sends a POST request to the <code>notify_url</code> of an order when its payment is final, and for
          other events that the API key opted in to.
        </p>
        <Rich text={post?.description ?? ""} />
        <Heading id="events">Events</Heading>
        <Facts prefix="event" rows={hooks.map(([type, item]) => [type, item.post?.summary ?? ""])} />
        <Heading id="body">Body</Heading>
        {body && <Fields document={document} schema={body.schema} prefix="body" />}
        <Heading id="headers">Headers</Heading>
        <Facts prefix="header" rows={(post?.parameters ?? []).map(({ name, description }) => [name, description])} />
        <Heading id="missed">Missed webhooks</Heading>
        <p>
          A server that was offline reads all events with <a href={urlOf(slugOf("listEvents"))}>List events</a>, and the
          state of one order with <a href={urlOf(slugOf("retrieveOrder"))}>Retrieve an order</a>.
        </p>
      </div>
      <aside class="examples" aria-label="Examples">
        <h2>Body</h2>
        <Code text={pretty(body?.example)} label="Body of a webhook" />
        <h2>Verify the signature</h2>
        <p>
          Use a <a href="https://www.standardwebhooks.com">Standard Webhooks</a> library, or this code without
          dependencies. Verify the raw body, before it is parsed.
        </p>
        <div class="samples">
          <LanguagePicker languages={VERIFIERS} />
          {VERIFIERS.map(({ id, name, code }, index) => (
            <Code key={id} text={code} label={`Verification with ${name}`} language={id} isHidden={index > 0} />
          ))}
        </div>
      </aside>
    </article>
  );
}

/** Returns the request that checks an API key. */
function checkKey(server: string): SampleRequest {
  return { method: "POST", url: `${server}/api/v1/pay/merchant/detail`, body: {}, needsKey: true };
}
