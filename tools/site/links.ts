// Finds links of the built site that lead nowhere: to a missing file or to a missing heading.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export function brokenLinks(folder: string): { pages: number; links: number; broken: string[] } {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.html'),
  );
  const pages = new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
  const ids = new Map([...pages].map(([file, html]) => [file, new Set(valuesOf(html, 'id'))]));
  const broken: string[] = [];
  let links = 0;
  for (const [file, html] of pages) {
    for (const target of new Set([...valuesOf(html, 'href'), ...valuesOf(html, 'src')])) {
      if (/^(?:[a-z]+:|\/\/)/.test(target)) continue;
      links += 1;
      const [path = '', hash] = target.split('#');
      const to =
        path === '' ? file : relative(folder, join(folder, path.startsWith('/') ? '.' : dirname(file), path));
      if (!existsSync(join(folder, to)) || statSync(join(folder, to)).isDirectory())
        broken.push(`${file} links to ${target}, which does not exist`);
      else if (hash !== undefined && !ids.get(to)?.has(decodeURIComponent(hash)))
        broken.push(`${file} links to ${target}, but that page has no such heading`);
    }
  }
  return { pages: pages.size, links, broken };
}

function valuesOf(html: string, attribute: string): string[] {
  return Array.from(html.matchAll(new RegExp(`\\s${attribute}="([^"]*)"`, 'g')), ([, value = '']) =>
    value.replaceAll('&amp;', '&').replaceAll('&#39;', "'"),
  );
}
