import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { auditTexts } from '@settee/protocol/texts/auditTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { expect, test, vi } from 'vitest';
import { anAuditEntry, auditLog } from '../../../test/anAdmin.ts';
import { renderAdmin } from '../../../test/renderAdmin.tsx';

test('while another filter of the audit log loads, nothing shows as missing, and the old rows are dimmed', async () => {
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

test('the audit log shows what a command writes, without an update event', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { screen, gateway } = await renderAdmin({ path: '/admin/audit?q=told' });
  await expect.element(screen.getByText(adminTexts.noMatches)).toBeVisible();
  const target = { kind: 'person' as const, id: 'told', name: 'told' };
  gateway.answer('readAudit', auditLog([anAuditEntry(1, { target })]));
  // The page polls it twice a minute.
  vi.advanceTimersByTime(31_000);
  await expect.element(screen.getByRole('row', { name: /told/ })).toBeVisible();
});

test('a search of the audit log continues with older entries, and says nothing is missing before the end', async () => {
  const head = { count: 150_000, hash: 'e3b0c442'.repeat(8) };
  const target = { kind: 'person' as const, id: 'told', name: 'told' };
  const { screen, gateway } = await renderAdmin({
    path: '/admin/audit',
    answers: { readAudit: auditLog([anAuditEntry(1)]) },
  });
  await expect.element(screen.getByRole('row', { name: /Signed in/ })).toBeVisible();
  gateway.answer('readAudit', ({ query: { before } }) => {
    if (before === undefined) return { entries: [], next: 100_000, head };
    if (before === 100_000) return { entries: [anAuditEntry(70_000, { target })], next: 50_000, head };
    return { entries: [], next: null, head };
  });
  let saidNothing = false;
  const observer = new MutationObserver(() => {
    saidNothing ||= document.body.textContent.includes(adminTexts.noMatches);
  });
  observer.observe(document.body, { childList: true, subtree: true });
  await screen.getByLabelText(auditTexts.search).fill('told');
  await expect.element(screen.getByRole('row', { name: /told/ })).toBeVisible();
  await expect
    .poll(() =>
      gateway
        .asked('readAudit')
        .map(({ query }) => query.before)
        .slice(-3),
    )
    .toEqual([undefined, 100_000, 50_000]);
  await expect.element(screen.getByText(fillText(adminTexts.found, { count: 1 }))).toBeInTheDocument();
  await expect.element(screen.getByRole('button', { name: adminTexts.more })).not.toBeInTheDocument();
  observer.disconnect();
  expect(saidNothing).toBe(false);
});
