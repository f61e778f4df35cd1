import { Account } from '@settee/protocol/calls/accountCalls';
import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { staffMailTexts } from '@settee/protocol/texts/staffMailTexts';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { lost, Refused } from '../../../test/fakeGateway.ts';
import { renderAdmin } from '../../../test/renderAdmin.tsx';
import { renderConsole } from '../../../test/renderConsole.tsx';

const withoutFactor: Account = {
  ...v.getDefaults(Account),
  email: 'ana@example.org',
  name: 'Ana Kovač',
  role: 'handler',
  totpSince: null,
  passkeys: [],
  recoveryCodesLeft: 0,
  sessions: [],
};

test('[A11Y-14] a first factor whose answer was lost offers new recovery codes at once', async () => {
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

async function confirmWithoutPassword(singleSignOn: string | null) {
  const { screen } = await renderConsole({
    path: '/handler/security',
    answers: {
      readAccount: { account: { ...withoutFactor, hasPassword: false } },
      readSignIn: { singleSignOn },
      beginTotp: () => new Refused('password_required'),
    },
  });
  const password = screen.getByRole('region', { name: accountTexts.password });
  await expect.element(password.getByText(accountTexts.passwordNone)).toBeVisible();
  expect(password.getByRole('button').elements()).toHaveLength(0);
  await screen.getByRole('button', { name: accountTexts.appSetUp }).click();
  return screen.getByRole('dialog', { name: accountTexts.againWithProvider });
}

test('a person without a password who must confirm it is offered the provider', async () => {
  const dialog = await confirmWithoutPassword('Example Login');
  await expect.element(dialog.getByText(/no password, so sign in with Example Login again/)).toBeVisible();
  await expect.element(dialog.getByRole('button', { name: accountTexts.signInAgain })).toBeVisible();
  await dialog.getByRole('button', { name: consoleTexts.cancel }).click();
  await expect.element(dialog).not.toBeInTheDocument();
});

test('without a provider, the page says whom to ask', async () => {
  const dialog = await confirmWithoutPassword(null);
  await expect.element(dialog.getByText(accountTexts.againWithoutPasswordNote)).toBeVisible();
  await dialog.getByRole('button', { name: accountTexts.gotIt }).click();
  await expect.element(dialog).not.toBeInTheDocument();
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

test('[ACCOUNT-06] each button names its session, and the focus moves to the next one, then to the heading', async () => {
  const session = (day: number, current = false) => ({
    id: crypto.randomUUID(),
    browser: 'Firefox on Linux',
    network: `203.0.${day}.*`,
    createdAt: new Date(2025, 2, day, 9, 30).getTime(),
    lastUsedAt: Date.now(),
    current,
  });
  const account = { ...withoutFactor, sessions: [session(1, true), session(2), session(3), session(4)] };
  let isRefused = true;
  const { screen } = await renderConsole({
    path: '/handler/security',
    answers: {
      readAccount: () => ({ account: { ...account } }),
      endSession: ({ params }) => {
        if (isRefused) return new Refused('unavailable');
        account.sessions = account.sessions.filter(({ id }) => id !== params.id);
        return {};
      },
      signOutElsewhere: () => {
        account.sessions = account.sessions.slice(0, 1);
        return { ended: 1 };
      },
    },
  });
  const card = screen.getByRole('region', { name: accountTexts.sessions });
  const button = (day: number) =>
    card.getByRole('button', {
      name: `Sign out: Firefox on Linux, Signed in ${day} Mar 2025, 09:30, from 203.0.${day}.*`,
    });
  const rows = card.getByRole('listitem');
  await expect.element(rows.first().getByText(accountTexts.sessionCurrent)).toBeVisible();
  expect(rows.first().getByRole('button').elements()).toHaveLength(0);
  await button(2).click();
  await expect.element(card.getByRole('alert')).not.toBeEmptyDOMElement();
  await expect.element(button(2)).toHaveFocus();

  isRefused = false;
  await button(2).click();
  await expect.element(button(3)).toHaveFocus();
  await button(4).click();
  await expect.element(card.getByRole('heading', { name: accountTexts.sessions })).toHaveFocus();
  await card.getByRole('button', { name: accountTexts.signOutElsewhere }).click();
  await expect.poll(() => rows.elements().length).toBe(1);
  await expect.element(card.getByRole('heading', { name: accountTexts.sessions })).toHaveFocus();
});

test('a person turns mails about waiting visitors on, if the installation sends mail', async () => {
  const account: Account = { ...withoutFactor, waitingMail: false };
  const { screen, gateway } = await renderConsole({
    path: '/handler/security',
    answers: {
      readAccount: () => ({ account }),
      saveWaitingMail({ body }) {
        account.waitingMail = body.on;
        return {};
      },
    },
  });
  const wish = screen.getByRole('checkbox', { name: staffMailTexts.waiting });
  await expect.element(wish).not.toBeChecked();
  await wish.click();
  await expect.element(wish).toBeChecked();
  expect(gateway.asked('saveWaitingMail')).toMatchObject([{ body: { on: true } }]);

  gateway.answer('saveWaitingMail', () => new Refused('unavailable', { error: 'Not now.' }));
  const release = gateway.hold('saveWaitingMail');
  await wish.click();
  await expect.element(wish).not.toBeChecked();
  release();
  await expect.element(screen.getByText('Not now.')).toBeVisible();
  await expect.element(wish).toBeChecked();
  await screen.unmount();

  const without = await renderConsole({
    path: '/handler/security',
    answers: { readAccount: { account: withoutFactor } },
  });
  await expect.element(without.screen.getByRole('region', { name: accountTexts.password })).toBeVisible();
  await expect
    .element(without.screen.getByRole('region', { name: staffMailTexts.title }))
    .not.toBeInTheDocument();
});
