import { expect, test } from 'vitest';
import type { Api } from '../../net/api.ts';
import { moveDesk, type Progress } from './moveDesk.ts';

function apiThatAnswers(...answers: unknown[]): { api: Api<'moveDesk'>; asked: unknown[] } {
  const asked: unknown[] = [];
  const api = async (_name: string, parts: unknown) => {
    asked.push(parts);
    return answers.shift();
  };
  return { api: api as unknown as Api<'moveDesk'>, asked };
}

const step = (moved: number, left: number) => ({ ok: true, answer: { success: true, moved, left } });
const way = { from: 'east', to: 'west' };

test('[ADMIN-41] moving continues until nothing is left, and reports progress', async () => {
  const { api, asked } = apiThatAnswers(step(25, 30), step(25, 5), step(5, 0));
  const showToast: Progress[] = [];
  expect(await moveDesk(api, way, (progress) => showToast.push(progress))).toBeUndefined();
  expect(showToast).toEqual([
    { moved: 25, total: 55 },
    { moved: 50, total: 55 },
    { moved: 55, total: 55 },
  ]);
  expect(asked).toEqual(Array(3).fill({ params: { alias: 'east' }, body: { to: 'west' } }));
});

test('[ADMIN-41] moving stops when a step fails or moves nothing', async () => {
  const failing = apiThatAnswers(step(25, 30), { ok: false, text: 'Network error' });
  expect(await moveDesk(failing.api, way, () => {})).toBe('Network error');
  const stuck = apiThatAnswers(step(0, 3));
  expect(await moveDesk(stuck.api, way, () => {})).toBeUndefined();
  expect(stuck.asked).toHaveLength(1);
});
