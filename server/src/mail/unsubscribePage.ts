import { escapeHtml } from '@settee/protocol/render/escapeHtml';
import { directionOf, type Language } from '@settee/protocol/texts/languages';
import { visitorCatalogues } from '@settee/protocol/translations/translations';

/** A card like the mail that led here, in the colours of web/src/design/tokens.css. */
const STYLE =
  ':root{color-scheme:light dark}*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:16px 8px;font:1rem/1.5 Figtree,system-ui,sans-serif;background:#fbf7f2;color:#57474f}main{width:100%;max-width:460px;padding:32px;border:1px solid #e7ddd4;border-radius:16px;background:#fff}h1{margin:0;font:500 1.75rem/2.125rem Newsreader,Georgia,serif;letter-spacing:-.01em;color:#22171e}p{margin:10px 0 0;text-wrap:pretty}button{width:100%;min-height:48px;margin-top:24px;padding:0 28px;border:0;border-radius:16px;background:#7a2a5a;color:#fff;font:inherit;font-weight:600;cursor:pointer}button:hover{background:#66214a}:focus-visible{outline:2px solid #0b6e7f;outline-offset:2px}@media(max-width:599px){main{padding:24px 20px}}@media(prefers-color-scheme:dark){body{background:#161014;color:#c9b9c1}main{border-color:#35282f;background:#1f171c}h1{color:#f6edf1}button{background:#9e487c}button:hover{background:#8c3d6d}:focus-visible{outline-color:#7fd6e1}}';

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
