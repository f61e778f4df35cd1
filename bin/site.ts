// npm run site [-- --serve]: builds the documentation site into tools/site/dist and checks its links.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { closingLine } from '../tools/check/counts.ts';
import { OUT } from '../tools/site/config.ts';

const site = join(import.meta.dirname, '../tools/site');
const program = join(site, 'node_modules/vitepress/bin/vitepress.js');

const { values } = parseArgs({ options: { serve: { type: 'boolean' } } });
installVitePress();
vitepress('build');
const { pages, links, broken } = brokenLinks(OUT);
for (const problem of broken) console.error(problem);
console.log(`  ${pages} pages, ${links} links, ${broken.length} broken`);
console.log(closingLine({ passed: broken.length === 0 ? 1 : 0, failed: broken.length, skipped: 0 }));
process.exitCode = broken.length === 0 ? 0 : 1;
if (values.serve === true) vitepress('preview');

function brokenLinks(folder: string): { pages: number; links: number; broken: string[] } {
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

/** The site has its own packages, so that no installation contains them. Installs them if the lockfile changed. */
function installVitePress(): void {
  if (!isCurrent()) execFileSync('npm', ['ci'], { cwd: site, stdio: 'inherit' });
}

/** npm records what it installed, without the entry of the folder itself. */
function isCurrent(): boolean {
  const installed = join(site, 'node_modules/.package-lock.json');
  if (!existsSync(program) || !existsSync(installed)) return false;
  const versions = (file: string): Record<string, string | undefined> => {
    const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
      packages: Record<string, { version?: string }>;
    };
    return Object.fromEntries(Object.entries(packages).map(([path, { version }]) => [path, version]));
  };
  const wanted = versions(join(site, 'package-lock.json'));
  return Object.entries(versions(installed)).every(([path, version]) => wanted[path] === version);
}

function vitepress(command: 'build' | 'preview'): void {
  execFileSync(process.execPath, [program, command], { cwd: site, stdio: 'inherit' });
}
