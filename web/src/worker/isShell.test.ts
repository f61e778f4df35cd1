import { expect, test } from 'vitest';
import { isShell } from './isShell.ts';

const assets = ['/assets/visitor-1.js', '/assets/visitor-1.css'];
const html = 'text/html; charset=utf-8';
const page = (script: string) => `<link href="/assets/visitor-1.css"><script src="${script}"></script>`;

test('[NET-24] only the chat page of this build replaces the cached one', () => {
  expect(isShell(html, page('/assets/visitor-1.js'), assets)).toBe(true);
  expect(isShell(html, page('/assets/visitor-2.js'), assets)).toBe(false);
  expect(isShell('application/manifest+json; charset=utf-8', '{"id":"/i/a"}', assets)).toBe(false);
  expect(isShell('text/plain', page('/assets/visitor-1.js'), assets)).toBe(false);
  expect(isShell(html, '<p>Sign in to this network</p>', assets)).toBe(false);
  expect(isShell(null, page('/assets/visitor-1.js'), assets)).toBe(false);
});
