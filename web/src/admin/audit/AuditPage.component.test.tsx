import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { auditTexts } from '@settee/protocol/texts/auditTexts';
import { expect, test, vi } from 'vitest';
import { anAuditEntry, auditLog } from '../../../test/anAdmin.ts';
import { renderAdmin } from '../../../test/renderAdmin.tsx';

test('[ADMIN-30] while another filter of the audit log loads, nothing shows as missing, and the old rows are dimmed', async () => {
  const { screen, gateway } = await renderAdmin({
    path: '/admin/audit?q=no-such-text',
    answers: {
      readAudit: auditLog([anAuditEntry(1)]),
      readAuditChoices: { actors: [], actions: ['staff.signIn'] },
    },
  });
  const noMatches = screen.getByText(adminTexts.noMatches);
  const action = screen.getByLabelText(auditTexts.action);
  const row = screen.getByRole('row', { name: /Signed in/ });
  const dimmedRow = () => document.querySelector('main [aria-busy="true"] tbody tr')?.textContent;
  await expect.element(noMatches).toBeVisible();
  const release = gateway.hold('readAudit');
  await action.selectOptions('Signed in');
  await expect.element(screen.getByRole('main').getByText(adminTexts.adminLoading)).toBeVisible();
  await expect.element(noMatches).not.toBeInTheDocument();
  release();
  await expect.element(noMatches).toBeVisible();
  await screen.getByRole('button', { name: auditTexts.clear }).click();
  await expect.element(row).toBeVisible();

  const releaseAgain = gateway.hold('readAudit');
  await action.selectOptions('Signed in');
  await expect.poll(dimmedRow).toContain('Signed in');
  releaseAgain();
  await expect.poll(dimmedRow).toBeUndefined();
  await expect.element(row).toBeVisible();
});

test('[AUDIT-05] the audit log shows what a command writes, without an update event', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { screen, gateway } = await renderAdmin({ path: '/admin/audit?q=told' });
  await expect.element(screen.getByText(adminTexts.noMatches)).toBeVisible();
  const target = { kind: 'person' as const, id: 'told', name: 'told' };
  gateway.answer('readAudit', auditLog([anAuditEntry(1, { target })]));
  // The page polls it twice a minute.
  vi.advanceTimersByTime(31_000);
  await expect.element(screen.getByRole('row', { name: /told/ })).toBeVisible();
});
