/** For the readable page. Each theme's words and lines stand out from their ground by 4.5 to 1 and more. */
export const STYLE = `
:root{--ground:#fbf7f2;--raised:#fff;--ink:#22171e;--quiet:#6f5f67;--line:#e7ddd4;--accent:#7a2a5a;--code:#f3ece5}
@media (prefers-color-scheme:dark){:root{--ground:#161014;--raised:#1f171c;--ink:#f6edf1;--quiet:#a5949d;--line:#35282f;--accent:#eba9cc;--code:#2b2027}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,sans-serif;display:grid;grid-template-columns:16rem minmax(0,1fr)}
nav{position:sticky;top:0;align-self:start;height:100vh;overflow:auto;padding:1.5rem 1rem;border-inline-end:1px solid var(--line)}
nav ul{list-style:none;margin:0;padding:0}
nav a{display:block;padding:.35rem .5rem}
main{padding:1.5rem 2rem 6rem;max-width:60rem}
a{color:var(--accent)}
small{color:var(--quiet);font-weight:400}
code{font:.9em/1.4 ui-monospace,monospace;background:var(--code);padding:.1em .3em;border-radius:.25em;overflow-wrap:anywhere}
section{margin-top:3rem}
article{margin:1rem 0;padding:1rem;background:var(--raised);border:1px solid var(--line);border-radius:.5rem}
h3,h4{margin:0;font-size:1rem}
h3 b{color:var(--accent)}
p{margin:.5rem 0}
summary{cursor:pointer;padding:.35rem 0;color:var(--accent)}
.wide{overflow-x:auto;margin:.75rem 0}
table{border-collapse:collapse;width:100%;font-size:.9rem}
td:first-child code{white-space:nowrap}
caption{text-align:start;font-weight:600;padding:.25rem 0}
th,td{text-align:start;vertical-align:top;padding:.35rem .5rem;border-block-end:1px solid var(--line);overflow-wrap:anywhere;min-width:7rem}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.skip{position:absolute;inset-inline-start:-999rem}
.skip:focus{position:static}
@media (max-width:48rem){body{display:block}nav{position:static;height:auto;border:0}main{padding:1rem}}
@media print{nav{display:none}body{display:block}}
`;
