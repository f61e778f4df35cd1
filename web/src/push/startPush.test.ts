import { expect, test } from 'vitest';
import { fakePush } from '../../test/fakePush.ts';
import { startPush } from './startPush.ts';

const HOUR = 3_600_000;

function open(stage: ReturnType<typeof fakePush>) {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' as DocumentVisibilityState });
  return { page, stop: startPush(stage.push, stage.clock, page as unknown as Document) };
}

test('[N-07] [L-07] a page that stays open for weeks refreshes the token', async () => {
  const stage = fakePush();
  stage.world.expiresAt = 5 * HOUR;
  await stage.push.enable();
  const { stop } = open(stage);
  await stage.clock.pass(3.9 * HOUR);
  expect(stage.world.subscribed).toBe(1);
  stage.world.expiresAt = null;
  await stage.clock.pass(HOUR);
  expect(stage.calls('savePush').at(-1)).toMatchObject({ instead: 'https://push.example/1' });
  await stage.clock.pass(6 * 24 * HOUR);
  expect(stage.calls('savePush')).toHaveLength(2);
  await stage.clock.pass(24 * HOUR);
  expect(stage.calls('savePush')).toHaveLength(3);
  stop();
  await stage.clock.pass(30 * 24 * HOUR);
  expect(stage.calls('savePush')).toHaveLength(3);
});

test('[N-07] a page that becomes visible checks the token at once', async () => {
  const stage = fakePush();
  await stage.push.enable();
  const { page, stop } = open(stage);
  await stage.clock.pass(100);
  stage.push.outdate();
  page.visibilityState = 'hidden';
  page.dispatchEvent(new Event('visibilitychange'));
  await stage.clock.pass(0);
  expect(stage.calls('savePush')).toHaveLength(1);
  page.visibilityState = 'visible';
  page.dispatchEvent(new Event('visibilitychange'));
  await stage.clock.pass(0);
  expect(stage.calls('savePush')).toHaveLength(2);
  stop();
});
