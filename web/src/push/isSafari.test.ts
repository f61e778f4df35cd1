import { expect, test } from 'vitest';
import { isSafari } from './isSafari.ts';

const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const blink = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0';

test.each([
  ['Safari on a Mac', true, `${mac} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15`],
  ['Safari on an iPhone', true, `${iPhone} Version/18.5 Mobile/15E148 Safari/604.1`],
  ['Chrome on a Mac', false, `${mac} ${blink} Safari/537.36`],
  ['Edge on a Mac', false, `${mac} ${blink} Safari/537.36 Edg/140.0.0.0`],
  [
    'headless Chromium',
    false,
    `Mozilla/5.0 (X11; Linux x86_64) ${blink.replace('Chrome', 'HeadlessChrome')} Safari/537.36`,
  ],
  ['Chrome on an iPhone', false, `${iPhone} CriOS/140.0.7339.101 Mobile/15E148 Safari/604.1`],
  ['Edge on an iPhone', false, `${iPhone} Version/18.0 EdgiOS/140.0.3485.61 Mobile/15E148 Safari/604.1`],
  ['Firefox on an iPhone', false, `${iPhone} FxiOS/142.0 Mobile/15E148 Safari/605.1.15`],
  ['Chrome on Android', false, `Mozilla/5.0 (Linux; Android 10; K) ${blink} Mobile Safari/537.36`],
  [
    'a web view on Android',
    false,
    `Mozilla/5.0 (Linux; Android 14; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/140.0.0.0 Mobile Safari/537.36`,
  ],
  [
    'the old browser of Android',
    false,
    'Mozilla/5.0 (Linux; U; Android 4.0.3) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30',
  ],
  ['Firefox', false, 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0'],
  ['a chat on the Home Screen of an iPhone', false, `${iPhone} Mobile/15E148`],
])('[V-09] %s is Safari: %s', (_browser, expected, userAgent) => {
  expect(isSafari(userAgent)).toBe(expected);
});
