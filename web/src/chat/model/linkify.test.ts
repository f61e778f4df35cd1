import { describe, expect, test } from 'vitest';
import { linkify } from './linkify.ts';

const link = (href: string, label = href) => ({ href, label });

describe('[MSG-36] links', () => {
  test('a text without one stays whole', () => {
    expect(linkify('see lycee.example/club, or mail me')).toEqual(['see lycee.example/club, or mail me']);
    expect(linkify('')).toEqual([]);
  });

  test('http and https become links, the sentence around them does not', () => {
    expect(linkify('Here: https://a.example/club. And (http://b.example/x)!')).toEqual([
      'Here: ',
      link('https://a.example/club'),
      '. And (',
      link('http://b.example/x'),
      ')!',
    ]);
    expect(linkify('https://en.example/wiki/Seat_(chair)')).toEqual([
      link('https://en.example/wiki/Seat_(chair)'),
    ]);
  });

  test('no other scheme becomes one', () => {
    for (const text of [
      'javascript:alert(1)',
      'data:text/html,x',
      'ftp://a.example',
      'xhttps//a',
      'https://',
    ])
      expect(linkify(text)).toEqual([text]);
  });

  test('a host that imitates another is shown as what it is', () => {
    expect(linkify('https://аpple.com/login')).toEqual([link('https://xn--pple-43d.com/login')]);
    expect(linkify('https://bank.example@evil.example/')).toEqual([
      link('https://bank.example@evil.example/'),
    ]);
  });

  test('what is shown says all that was written', () => {
    const text = 'a https://x.example/1, b https://y.example/2… c';
    const said = linkify(text).map((piece) => (typeof piece === 'string' ? piece : piece.label));
    expect(said.join('')).toBe(text);
  });
});
