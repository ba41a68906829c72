/** The style sheet of the API's documentation. */
export const DOCS_STYLE = `
:root{color-scheme:light dark;--bg:#f4f5f7;--card:#fff;--soft:#f0f2f5;--ink:#0d1321;--muted:#525c6c;--line:#dde1e8;--link:#2447d8;--good:#0b7a4b;--bad:#a62a1c}
@media (prefers-color-scheme:dark){:root{--bg:#0b0e13;--card:#141920;--soft:#1c232d;--ink:#eef1f6;--muted:#a3aebd;--line:#2a323e;--link:#9db2ff;--good:#4fd197;--bad:#ff9c8f}}
*,:before,:after{box-sizing:border-box;margin:0;padding:0}
html{background:var(--bg);color:var(--ink);font:1rem/1.55 system-ui,-apple-system,Segoe UI,Roboto,Helvetica Neue,Arial,sans-serif;-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-block-start:1rem}
body{max-inline-size:78rem;margin-inline:auto;padding:1rem}
h1{font-size:1.625rem;line-height:1.25;letter-spacing:-.01em}
h2{font-size:1.25rem;line-height:1.3;margin-block-end:.5rem}
h3{font-size:.9375rem;margin-block:1.25rem .5rem}
p{max-inline-size:44rem;overflow-wrap:anywhere}
p+p{margin-block-start:.75rem}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,Liberation Mono,monospace;font-size:.875em}
code{overflow-wrap:anywhere}
pre{padding:.875rem 1rem;border:1px solid var(--line);border-radius:.625rem;background:var(--soft);white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.5}
.skip{position:absolute;inset-inline-start:-100rem}
.skip:focus{position:static}
.top{margin-block:.5rem 1.5rem}
.top p{color:var(--muted);margin-block-start:.25rem}
nav ul{list-style:none}
nav li a{display:block;padding:.25rem 0;text-decoration:none}
nav li a:hover{text-decoration:underline}
nav h2{font-size:.8125rem;color:var(--muted);margin-block:.875rem .25rem}
nav{margin-block-end:1.5rem;padding:.5rem 1rem 1rem;border:1px solid var(--line);border-radius:1rem;background:var(--card)}
section{padding:1.25rem;margin-block-end:1.25rem;border:1px solid var(--line);border-radius:1rem;background:var(--card);min-inline-size:0}
.path{display:flex;flex-wrap:wrap;gap:.25rem .625rem;align-items:baseline;margin-block-end:.75rem}
.method{font-weight:700;color:var(--good)}
.fields{display:grid;gap:.625rem}
.fields div{padding-block-start:.625rem;border-block-start:1px solid var(--line)}
.fields dt{display:flex;flex-wrap:wrap;gap:0 .625rem;align-items:baseline}
.fields dt code{font-weight:650}
.fields dd{overflow-wrap:anywhere}
.kind,.foot{color:var(--muted);font-size:.875rem;overflow-wrap:anywhere}
.must{color:var(--bad);font-size:.8125rem;font-weight:600}
.foot{padding-block:.5rem}
main{min-inline-size:0}
@media (min-width:62rem){body{padding:2rem}.columns{display:grid;grid-template-columns:15rem minmax(0,1fr);gap:1.5rem;align-items:start}nav{position:sticky;inset-block-start:1rem;max-block-size:calc(100vh - 2rem);overflow-y:auto}.fields div{display:grid;grid-template-columns:minmax(0,17rem) minmax(0,1fr);gap:0 1.5rem}.fields dt{flex-direction:column}section{padding:1.75rem}}
@media print{nav{display:none}section{border:0;padding-inline:0}}
`;
