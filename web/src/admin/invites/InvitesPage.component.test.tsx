import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { expect, test } from 'vitest';
import { anInvite, inviteList } from '../../../test/anAdmin.ts';
import { renderAdmin } from '../../../test/renderAdmin.tsx';

test('while another filter of invites loads, nothing shows as missing, and the old rows are dimmed', async () => {
  const { screen, gateway } = await renderAdmin({
    path: '/admin/invites?state=REVOKED',
    answers: { readInvites: inviteList([anInvite('Spring tour')]) },
  });
  const noMatches = screen.getByText(adminTexts.noMatches);
  const row = screen.getByRole('row', { name: /Spring tour/ });
  const dimmedRow = () => document.querySelector('main [aria-busy="true"] tbody tr')?.textContent;
  await expect.element(noMatches).toBeVisible();
  const release = gateway.hold('readInvites');
  await screen.getByRole('radio', { name: new RegExp(texts.states.NEW) }).click();
  await expect.element(screen.getByRole('main').getByText(adminTexts.adminLoading)).toBeVisible();
  await expect.element(noMatches).not.toBeInTheDocument();
  release();
  await expect.element(row).toBeVisible();
  expect(dimmedRow()).toBeUndefined();

  const releaseAgain = gateway.hold('readInvites');
  await screen.getByRole('radio', { name: new RegExp(texts.states.BOUND) }).click();
  await expect.poll(dimmedRow).toContain('Spring tour');
  releaseAgain();
  await expect.element(noMatches).toBeVisible();
});

test('an open invite form stays when an update empties the list', async () => {
  const { screen, gateway } = await renderAdmin({
    path: '/admin/invites?state=SEEN',
    answers: {
      readInvites: inviteList([anInvite('Spring tour', { state: 'SEEN', seenAt: Date.now() })]),
      updateInvite: { expiresAt: Date.now() + 1 },
    },
  });
  await screen.getByRole('button', { name: 'Actions for Spring tour' }).click();
  await screen.getByRole('menuitem', { name: texts.edit }).click();
  const dialog = screen.getByRole('dialog');
  const label = dialog.getByLabelText(texts.label);
  await label.fill('Half-written');

  gateway.answer('readInvites', inviteList([anInvite('Spring tour', { state: 'BOUND' })]));
  gateway.push({ type: 'managementChanged', topics: ['invites'] });
  await expect.element(screen.getByText(adminTexts.noMatches)).toBeVisible();
  await expect.element(label).toHaveValue('Half-written');
  await dialog.getByRole('button', { name: adminTexts.save }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(gateway.asked('updateInvite').map(({ body }) => body)).toEqual([{ label: 'Half-written' }]);
});
