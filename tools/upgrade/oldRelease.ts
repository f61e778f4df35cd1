import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../engines/state.ts';

/** 0.1.0 has no tag. This is the last commit whose changelog ends with it. */
export const OLD = { version: '0.1.0', commit: 'fe03e251a302a1b033208150d7a98c32f0a4558f' };

/** The server of 0.1.0 with its own packages, kept in the cache. Needs the history of git. */
export function unpackOldRelease(checkout: string): string {
  const folder = join(cacheFolder(), `settee-${OLD.version}-${OLD.commit.slice(0, 12)}`);
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${process.pid}.new`;
  mkdirSync(draft, { recursive: true });
  try {
    execFileSync('tar', ['-x', '-C', draft], { input: archive(checkout) });
    // Scripts are not needed: packages with native code are already built.
    execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: draft,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}

function archive(checkout: string): Buffer {
  try {
    return execFileSync('git', ['archive', OLD.commit], {
      cwd: checkout,
      maxBuffer: 256 * 1_024 * 1_024,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch (error) {
    throw new Error(
      `This clone does not contain ${OLD.version} (commit ${OLD.commit}), so its upgrade cannot be tested. Get the whole history: git fetch --unshallow`,
      { cause: error },
    );
  }
}
