import { rightsTexts } from '@settee/protocol/texts/rightsTexts';
import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import type { VisitorApi } from '../connection.ts';
import { RightsDialog } from './RightsDialog.tsx';

test('[PRIVACY-06] a device without access does not learn that anything was deleted, and may try again', async () => {
  const asked: unknown[] = [];
  const erased: unknown[] = [];
  let code: string | undefined = 'not_found';
  const api = (async (name: string, given: unknown) => {
    asked.push([name, given]);
    return code === undefined ? { ok: true } : { ok: false, code };
  }) as unknown as VisitorApi;
  const screen = await render(
    <RightsDialog
      what="erase"
      conversationId="c"
      profileName="Mara"
      api={api}
      joinedAt={null}
      onErased={(words) => erased.push(words)}
      onClose={() => {}}
    />,
  );
  const erase = screen.getByRole('button', { name: 'Delete conversation' });
  await erase.click();
  await expect.element(screen.getByText(rightsTexts.eraseNotHere)).toBeVisible();
  code = 'access_denied';
  await erase.click();
  await expect.element(screen.getByText(rightsTexts.eraseRefused)).toBeVisible();
  code = 'internal';
  await erase.click();
  await expect.element(screen.getByText(rightsTexts.eraseFailed)).toBeVisible();
  expect(erased).toEqual([]);
  code = undefined;
  await erase.click();
  await expect.poll(() => erased).toMatchObject([{ title: 'Conversation deleted' }]);
  expect(asked).toHaveLength(4);
  expect(asked[0]).toEqual(['eraseOwn', { params: { id: 'c' } }]);
});
