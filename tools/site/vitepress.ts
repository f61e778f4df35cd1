import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const site = import.meta.dirname;
const program = join(site, 'node_modules/vitepress/bin/vitepress.js');

/** The site has its own packages, so that no installation contains them. Installs them if the lockfile changed. */
export function installVitePress(): void {
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

export function vitepress(command: 'build' | 'preview'): void {
  execFileSync(process.execPath, [program, command], { cwd: site, stdio: 'inherit' });
}
