import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { pages, root } from './pages.ts';

test('the site has every document, once, and the sidebar lists it', () => {
  const documents = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'docs/*.md'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(documents.split('\n').filter((file) => file !== '' && !pages.has(file))).toEqual([]);
  expect(new Set(pages.values()).size).toBe(pages.size);
});
