import { expect, test } from 'vitest';
import { type Brand, defaultBrand } from '../model/brand.ts';
import { fillVisitorPage } from './visitorPage.ts';

const brand: Brand = { ...defaultBrand, displayName: 'Mara Lindqvist', avatarUrl: '/mara.webp?v=1' };

test('[PAGE-04] the profile is filled in, and invalid parts are left out', () => {
  const template =
    '<b>{{name}}</b><!--if letters-->{{initials}}<!--end letters--><!--if picture--><img src="{{avatarUrl}}"><!--end picture--><!--if verified--><i></i><!--end verified-->';
  expect(fillVisitorPage(template, brand)).toBe('<b>Mara Lindqvist</b><img src="/mara.webp?v=1"><i></i>');
  expect(fillVisitorPage(template, { ...brand, avatarUrl: null, verified: false })).toBe(
    '<b>Mara Lindqvist</b>ML',
  );
});

test('[PAGE-04] whatever an administrator writes stays text', () => {
  const nasty = `</title><script>alert("1")</script>'&{{brand}}<!--if picture-->$&`;
  const page = fillVisitorPage('<title>{{name}}</title>', { ...brand, displayName: nasty });
  expect(page).toBe(
    '<title>&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;{{brand}}&lt;!--if picture--&gt;$&amp;</title>',
  );
});

test('[PAGE-04] a page with an unknown placeholder is refused', () => {
  expect(() => fillVisitorPage('{{token}}', brand)).toThrow('token');
  expect(() => fillVisitorPage('<!--if bound-->x<!--end bound-->', brand)).toThrow('bound');
});
