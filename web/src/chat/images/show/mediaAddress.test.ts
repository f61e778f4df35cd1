import { mediaUrl } from '@settee/protocol/model/media';
import { expect, test } from 'vitest';
import { fakeClock } from '../../../../test/fakeClock.ts';
import type { Api } from '../../../net/api.ts';
import { startMediaAddresses } from './mediaAddress.ts';

const ID = 'c0000000-0000-4000-8000-000000000000';
const PICTURE = mediaUrl(ID, 'd0000000-0000-4000-8000-000000000001');
const OTHER = mediaUrl(ID, 'd0000000-0000-4000-8000-000000000002');
const lost = { ok: false, code: undefined, text: '', status: 0, answer: undefined };

function setUp() {
  const clock = fakeClock();
  const asked: string[] = [];
  let answer: unknown;
  const api = (async (_name: string, { params }: { params: { mediaId: string } }) => {
    asked.push(params.mediaId.slice(-1));
    const url = `address ${asked.length}`;
    return answer ?? { ok: true, answer: { success: true, url, expiresAt: 0 } };
  }) as unknown as Api<'readMedia'>;
  const addresses = startMediaAddresses({
    conversationId: ID,
    api,
    clock,
    random: () => 1,
    onLine: () => () => {},
  });
  return {
    clock,
    asked,
    addresses,
    answerWith(next: unknown) {
      answer = next;
    },
  };
}

test('parallel requests share one URL, which is kept until shortly before it expires', async () => {
  const { addresses, asked, clock } = setUp();
  expect(addresses.known(PICTURE)).toBeUndefined();
  const all = await Promise.all([addresses.get(PICTURE), addresses.get(PICTURE), addresses.get(OTHER)]);
  expect(new Set(all).size).toBe(2);
  expect(all[0]).toBe(all[1]);
  expect(asked).toEqual(['1', '2']);
  await clock.pass(269_000);
  expect(addresses.known(PICTURE)).toBe(all[0]);
  await clock.pass(1_000);
  expect(addresses.known(PICTURE)).toBeUndefined();
  await addresses.get(PICTURE);
  expect(asked).toEqual(['1', '2', '1']);
});

test('a URL that did not load is not returned again', async () => {
  const { addresses, asked } = setUp();
  const first = await addresses.get(PICTURE);
  addresses.failed(PICTURE, 'another');
  expect(addresses.known(PICTURE)).toBe(first);
  addresses.failed(PICTURE, first ?? '');
  expect(await addresses.get(PICTURE)).not.toBe(first);
  expect(asked).toHaveLength(2);
});

test('[L-06] a lost connection is retried for two minutes, then only on request', async () => {
  const { addresses, asked, clock, answerWith } = setUp();
  answerWith(lost);
  let got: unknown = 'waiting';
  const asking = () =>
    void addresses.get(PICTURE).then((address) => {
      got = address;
    });
  asking();
  await clock.pass(100_000);
  expect(got).toBe('waiting');
  await clock.pass(60_000);
  expect(got).toBeUndefined();
  const tries = asked.length;
  await clock.pass(600_000);
  expect(asked).toHaveLength(tries);
  answerWith(undefined);
  asking();
  await clock.pass(0);
  expect(got).toMatch(/^address/);
});

test('a refused or foreign URL is not requested again', async () => {
  const { addresses, asked, answerWith } = setUp();
  answerWith({ ...lost, code: 'not_found', status: 404 });
  expect(await addresses.get(PICTURE)).toBeUndefined();
  expect(await addresses.get('https://elsewhere.example/a.png')).toBeUndefined();
  expect(asked).toHaveLength(1);
});

test('an image that this page sent needs no URL; only the newest are kept', async () => {
  const { addresses, asked } = setUp();
  const urls = Array.from({ length: 21 }, (_, n) =>
    mediaUrl(ID, `d0000000-0000-4000-8000-0000000001${n + 10}`),
  );
  for (const url of urls) addresses.keepOwn(url, `blob:${url}`);
  expect(await addresses.get(urls[20] ?? '')).toBe(`blob:${urls[20]}`);
  expect(addresses.known(urls[0] ?? '')).toBeUndefined();
  expect(addresses.known(urls[1] ?? '')).toBe(`blob:${urls[1]}`);
  expect(asked).toEqual([]);
});
