import { escapeHtml } from '@settee/protocol/render/escapeHtml';
import { directionOf, type Language } from '@settee/protocol/texts/languages';
import { visitorCatalogues } from '@settee/protocol/translations/translations';

/** The colours of web/src/design/tokens.css. */
const STYLE =
  ':root{color-scheme:light dark}body{margin:0;min-height:100vh;display:grid;place-items:center;font:1rem/1.5 Figtree,system-ui,sans-serif;background:#fbf7f2;color:#57474f}main{max-width:26rem;padding:2rem}h1{margin:0;font:500 2rem/2.375rem Newsreader,Georgia,serif;letter-spacing:-.015em;color:#22171e}button{min-height:48px;padding:0 1.75rem;border:0;border-radius:16px;background:#7a2a5a;color:#fff;font:inherit;font-weight:600}button:hover{background:#66214a}@media(prefers-color-scheme:dark){body{background:#161014;color:#c9b9c1}h1{color:#f6edf1}button{background:#9e487c}button:hover{background:#8c3d6d}}';

export type UnsubscribeStep = 'ask' | 'done' | 'invalid';

/** Works without a script. The form posts to its own address. */
export function unsubscribePage(language: Language, step: UnsubscribeStep): string {
  const { off } = visitorCatalogues[language].mailTexts;
  const form = `<form method="post"><button>${escapeHtml(off.button)}</button></form>`;
  return `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(off.title)}</title>
<style>${STYLE}</style>
<main>
<h1>${escapeHtml(off.title)}</h1>
<p>${escapeHtml(off[step])}</p>
${step === 'ask' ? form : ''}
</main>
</html>
`;
}
