import type { Account } from '@settee/protocol/calls/accountCalls';
import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { expect, test } from 'vitest';
import { lost } from '../../../test/fakeGateway.ts';
import { renderAdmin } from '../../../test/renderAdmin.tsx';
import { renderConsole } from '../../../test/renderConsole.tsx';

const withoutFactor: Account = {
  email: 'ana@example.org',
  name: 'Ana Kovač',
  role: 'handler',
  totpSince: null,
  passkeys: [],
  recoveryCodesLeft: 0,
  otherSessions: 0,
};

test('[FACTOR-13] a first factor whose answer was lost offers new recovery codes at once', async () => {
  const account = { ...withoutFactor };
  const codes = Array.from({ length: 10 }, (_, n) => `code-${n}`);
  const { screen } = await renderConsole({
    path: '/handler/security',
    answers: {
      readAccount: () => ({ account }),
      beginTotp: {
        secret: 'JBSWY3DPEHPK3PXP',
        uri: 'otpauth://totp/Settee?secret=JBSWY3DPEHPK3PXP',
        ticket: 't',
      },
      // The server completes the call, but the answer is lost.
      confirmTotp() {
        account.totpSince = Date.now();
        account.recoveryCodesLeft = 10;
        return lost;
      },
      renewRecoveryCodes: { recoveryCodes: codes },
    },
  });
  const app = screen.getByRole('region', { name: accountTexts.app });
  await app.getByRole('button', { name: accountTexts.appSetUp }).click();
  await expect.element(screen.getByRole('img', { name: accountTexts.totpQr })).toBeVisible();
  await screen.getByLabelText(accountTexts.totpCode).fill('123456');
  await screen.getByRole('button', { name: accountTexts.totpConfirm }).click();
  const offer = screen.getByRole('dialog', { name: accountTexts.recoveryRenew });
  await expect.element(offer.getByText(accountTexts.recoveryLost)).toBeVisible();
  expect(screen.getByRole('dialog').elements()).toHaveLength(1);
  await offer.getByRole('button', { name: accountTexts.recoveryRenew }).click();
  const dialog = screen.getByRole('dialog', { name: accountTexts.keepTitle });
  await expect.element(dialog).toBeVisible();
  const shown = dialog.getByRole('listitem').elements();
  expect(shown.map(({ textContent }) => textContent)).toEqual(codes);
  await dialog.getByRole('button', { name: accountTexts.kept }).click();
  await expect.element(app.getByText(/^On since/)).toBeVisible();
  await expect.element(screen.getByText('10 left')).toBeVisible();
});

test('[FACTOR-02] after seven days the console opens and says so, and the admin area shows the setup', async () => {
  const staff = { role: 'admin', adminClosed: true, enrolBy: Date.now() - 1 } as const;
  const { screen } = await renderConsole({ staff });
  await expect.element(screen.getByText(accountTexts.bannerOverdue)).toBeVisible();
  await screen.unmount();
  const admin = await renderAdmin({
    path: '/admin/audit',
    staff,
    atOnce: true,
    answers: { readAccount: { account: { ...withoutFactor, role: 'admin' } } },
  });
  await expect.element(admin.screen.getByRole('heading', { name: accountTexts.enrolTitle })).toBeVisible();
  expect(admin.gateway.asked('readAudit')).toEqual([]);
});
