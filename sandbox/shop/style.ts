/** The shop's whole style sheet: light and dark, from 320 px up. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f6f5f1, #15171a); --card: light-dark(#fff, #1e2125); --line: light-dark(#e2dfd6, #33373d);
  --text: light-dark(#1d1f22, #eceae4); --soft: light-dark(#5d6066, #a5a8ae); --accent: light-dark(#1f6f54, #57c39b);
  --on-accent: light-dark(#fff, #0d1f18); --bad: light-dark(#a62b1f, #ff9d8f);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { margin: 0; font-size: 1.9rem; letter-spacing: -0.02em; }
h2 { margin: 0; font-size: 1.05rem; }
header p { margin: 0.4rem 0 1.5rem; max-width: 42rem; color: var(--soft); }
a { color: var(--accent); }
.problem { padding: 0.75rem 1rem; border: 1px solid var(--bad); border-radius: 10px; color: var(--bad); overflow-wrap: anywhere; }
.choices { display: flex; flex-wrap: wrap; gap: 0.75rem 1.5rem; margin-bottom: 1rem; }
fieldset { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem; margin: 0; padding: 0; border: 0; }
legend { float: left; padding: 0; margin-right: 0.35rem; color: var(--soft); }
fieldset label { display: flex; align-items: center; gap: 0.5rem; min-height: 2.75rem; padding: 0 1rem 0 0.8rem; border: 1px solid var(--line); border-radius: 999px; background: var(--card); cursor: pointer; }
fieldset label:has(:checked) { border-color: var(--accent); }
fieldset label:has(:disabled) { opacity: 0.5; cursor: not-allowed; }
fieldset input { width: 1.1rem; height: 1.1rem; margin: 0; accent-color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.products { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: 1rem; }
article, li { border: 1px solid var(--line); border-radius: 14px; background: var(--card); }
article { display: flex; flex-direction: column; padding: 1.1rem; }
article p { margin: 0.15rem 0 1rem; color: var(--soft); }
article button { margin-top: auto; }
svg { width: 2.4rem; margin-bottom: 0.6rem; fill: none; stroke: var(--accent); stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
button { min-height: 2.75rem; padding: 0 1rem; border: 0; border-radius: 10px; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer; }
.here { border: 1px solid var(--accent); background: transparent; color: var(--accent); }
article .here { margin-top: 0.5rem; }
.row a { display: inline-block; padding-block: 0.15rem; }
li form { margin-top: 0.5rem; }
button:hover { filter: brightness(1.08); }
#amount { width: 100%; min-height: 2.75rem; margin-bottom: 0.75rem; padding: 0 0.8rem; border: 1px solid var(--soft); border-radius: 10px; background: transparent; color: inherit; font: inherit; }
#feed { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 1.5rem; margin-top: 2.5rem; }
#feed section { min-width: 0; }
ul { display: grid; gap: 0.6rem; margin: 0.75rem 0 0; padding: 0; list-style: none; }
li { min-width: 0; padding: 0.75rem 0.9rem; }
.row { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.1rem 0.75rem; }
.soft, .empty, summary { color: var(--soft); font-size: 0.9rem; }
.tag { font-size: 0.85rem; font-weight: 600; color: var(--soft); }
.good { color: var(--accent); }
.bad { color: var(--bad); }
code { font-size: 0.8rem; color: var(--soft); overflow-wrap: anywhere; }
summary { margin-top: 0.35rem; cursor: pointer; }
pre { margin: 0.5rem 0 0; max-height: 20rem; overflow: auto; font-size: 0.78rem; }
`;
