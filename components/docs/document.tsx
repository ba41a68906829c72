/** @jsxImportSource hono/jsx */
import { html, raw } from "hono/html";
import { DOCS_SCRIPT, DOCS_STYLE } from "@/components/docs/assets";
import {
  AuthenticationArticle,
  ErrorsArticle,
  IntroductionArticle,
  RequestsArticle,
  WebhooksArticle,
} from "@/components/docs/guides";
import { OperationArticle } from "@/components/docs/operation";
import { listPages, type ReferencePage, urlOf } from "@/components/docs/reference";
import { contentPolicy } from "@/components/pay/policy";
import type { OpenApiDocument } from "@/lib/domain/api/open-api";

interface Page {
  html: string;
  /** The Content-Security-Policy, which allows only the page's own style sheet and script. */
  policy: string;
}

const POLICY = contentPolicy({ styles: [DOCS_STYLE], script: DOCS_SCRIPT });

/**
 * Returns a page of the API reference; null if there is no page with that slug.
 * @param slug "" for the start page
 */
export function referencePage(document: OpenApiDocument, slug: string): Page | null {
  const pages = listPages(document);
  const index = pages.findIndex((one) => one.slug === slug);
  const page = pages[index];
  if (!page) return null;
  return toPage(document, {
    title: page.slug === "" ? `${document.info.title} API` : `${page.title} · ${document.info.title} API`,
    slug,
    content: (
      <>
        <Article document={document} page={page} />
        <Neighbours before={pages[index - 1]} after={pages[index + 1]} />
      </>
    ),
  });
}

/** Returns the page for a path that does not exist in the reference. */
export function missingPage(document: OpenApiDocument): Page {
  const content = (
    <article>
      <div class="text">
        <h1>Page not found</h1>
        <p>
          The API reference has no such page. Go to the <a href="/docs">introduction</a>, or search for a field.
        </p>
      </div>
    </article>
  );
  return toPage(document, { title: "Page not found", slug: null, content });
}

interface Layout {
  title: string;
  /** The slug of the page in the menu; null if it is not listed. */
  slug: string | null;
  content: unknown;
}

function toPage(document: OpenApiDocument, { title, slug, content }: Layout): Page {
  const { info } = document;
  const body = (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="top">
        <a class="brand" href="/docs">
          {info.title} <span>API {info.version}</span>
        </a>
        <search class="search" hidden>
          <label>
            <span class="hidden">Search the API reference</span>
            <input
              type="search"
              placeholder="Search"
              role="combobox"
              aria-expanded="false"
              aria-controls="hits"
              aria-autocomplete="list"
              autocomplete="off"
              spellcheck={false}
            />
          </label>
          <div id="hits" class="hits" role="listbox" aria-label="Search results" hidden />
        </search>
        <span class="links">
          <a href="/api/openapi.json">OpenAPI</a>
          <a href="/dashboard">Back office</a>
        </span>
      </header>
      <div class="columns">
        <Menu document={document} slug={slug} />
        <main id="content">{content}</main>
      </div>
      <footer class="foot">Stablegate, {info.license.name} license</footer>
    </>
  );
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="/icon.svg">
<style>${raw(DOCS_STYLE)}</style>
</head>
<body>${body}<script>${raw(DOCS_SCRIPT)}</script></body>
</html>
`;
  return { html: String(page), policy: POLICY };
}

function Menu({ document, slug }: { document: OpenApiDocument; slug: string | null }) {
  const groups = Map.groupBy(listPages(document), ({ group }) => group);
  return (
    <nav aria-label="API reference">
      <details data-menu open>
        <summary>Contents</summary>
        <div class="groups">
          {[...groups].map(([group, pages]) => (
            <div key={group}>
              <h2>{group}</h2>
              <ul>
                {pages.map((page) => (
                  <li key={page.slug}>
                    <a href={urlOf(page.slug)} aria-current={page.slug === slug ? "page" : undefined}>
                      {page.title}
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      </details>
    </nav>
  );
}

function Article({ document, page }: { document: OpenApiDocument; page: ReferencePage }) {
  if (page.operation) return <OperationArticle document={document} entry={page.operation} />;
  switch (page.slug) {
    case "authentication":
      return <AuthenticationArticle document={document} />;
    case "requests":
      return <RequestsArticle document={document} />;
    case "errors":
      return <ErrorsArticle document={document} />;
    case "webhooks":
      return <WebhooksArticle document={document} />;
    default:
      return <IntroductionArticle document={document} />;
  }
}

function Neighbours({ before, after }: { before: ReferencePage | undefined; after: ReferencePage | undefined }) {
  return (
    <p class="next">
      <span>{before && <a href={urlOf(before.slug)}>← {before.title}</a>}</span>
      <span>{after && <a href={urlOf(after.slug)}>{after.title} →</a>}</span>
    </p>
  );
}
