import { escapeHtml } from '@settee/protocol/render/escapeHtml';
import { directionOf, type Language } from '@settee/protocol/texts/languages';
import { visitorCatalogues } from '@settee/protocol/translations/translations';

const STYLE =
  'body{margin:0;min-height:100vh;display:grid;place-items:center;font:1.0625rem/1.5 system-ui,sans-serif;background:#faf6f3;color:#2b2226}main{max-width:26rem;padding:2rem}h1{font-size:1.75rem}button{padding:.875rem 1.5rem;border:0;border-radius:.75rem;background:#7a2e4a;color:#fff;font:inherit}@media(prefers-color-scheme:dark){body{background:#1b1518;color:#f3eaee}}';

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
