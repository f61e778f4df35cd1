import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, relative } from 'node:path';
import { test } from '../product/watched.ts';
import { indexPage, picture, screens, sheet, themes } from './folder.ts';
import { otherLanguages } from './showIn.ts';
import { allStates, chosenStates } from './states.ts';

/** Scale of a screenshot on its sheet. */
const SCALE = 0.5;
const GAP = 16;

const LOOK = `<!doctype html><style>
  body { margin: 0; padding: ${GAP}px; background: #8a8a8a; font: 14px sans-serif; width: max-content; }
  div { display: flex; gap: ${GAP}px; align-items: flex-start; }
  figure { margin: 0; }
  figcaption { padding: 4px 0; color: #fff; }
  img { display: block; }
</style>`;

/** The existing screenshots of a state. */
function picturesOf(state: string): { label: string; file: string; width: number }[] {
  return [...themes, ...otherLanguages]
    .flatMap((variant) =>
      screens.map(({ width }) => ({
        label: `${state}, ${variant}, ${width}`,
        file: picture(state, variant, width),
        width,
      })),
    )
    .filter(({ file }) => existsSync(file));
}

test('one sheet for each state', async ({ page }) => {
  for (const { name } of chosenStates()) {
    const figures = picturesOf(name).map(({ label, file, width }) => {
      const data = readFileSync(file).toString('base64');
      return `<figure><figcaption>${label}</figcaption><img width="${width * SCALE}" src="data:image/png;base64,${data}"></figure>`;
    });
    if (figures.length === 0) continue;
    await page.setContent(`${LOOK}<div>${figures.join('')}</div>`);
    const path = sheet(name);
    mkdirSync(dirname(path), { recursive: true });
    await page.locator('body').screenshot({ path });
  }
});

test('a page with all of them', () => {
  const pictured = allStates.filter(({ name }) => picturesOf(name).length > 0);
  const sections = pictured.map(({ name }) => {
    const links = picturesOf(name).map(({ label, file }) => `<a href="${basename(file)}">${label}</a>`);
    return `<h2 id="${name}">${name}</h2><p>${links.join(' · ')}</p><img loading="lazy" src="${relative(dirname(indexPage), sheet(name))}" alt="">`;
  });
  writeFileSync(
    indexPage,
    `<!doctype html><meta charset="utf-8"><title>Gallery</title><style>img { max-width: 100%; }</style>${sections.join('\n')}\n`,
  );
});
