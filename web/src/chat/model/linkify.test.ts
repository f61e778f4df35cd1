import { describe, expect, test } from 'vitest';
import { linkify } from './linkify.ts';

const link = (href: string, label = href) => ({ href, label });

describe('[MSG-36] links', () => {
  test('a text without a link is unchanged', () => {
    expect(linkify('see lycee.example/club, or mail me')).toEqual(['see lycee.example/club, or mail me']);
    expect(linkify('')).toEqual([]);
  });

  test('http and https become links, without the punctuation around them', () => {
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

  test('no other scheme becomes a link', () => {
    for (const text of [
      'javascript:alert(1)',
      'data:text/html,x',
      'ftp://a.example',
      'xhttps//a',
      'https://',
    ])
      expect(linkify(text)).toEqual([text]);
  });

  test('a look-alike host is shown as its real name', () => {
    expect(linkify('https://аpple.com/login')).toEqual([link('https://xn--pple-43d.com/login')]);
    expect(linkify('https://bank.example@evil.example/')).toEqual([
      link('https://bank.example@evil.example/'),
    ]);
  });

  test('the label shows the complete link', () => {
    const text = 'a https://x.example/1, b https://y.example/2… c';
    const labels = linkify(text).map((piece) => (typeof piece === 'string' ? piece : piece.label));
    expect(labels.join('')).toBe(text);
  });
});
