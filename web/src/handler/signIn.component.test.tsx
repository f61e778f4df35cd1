import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { ana } from '../../test/aDesk.ts';
import { Foreign, Refused } from '../../test/fakeGateway.ts';
import { renderConsole } from '../../test/renderConsole.tsx';
import { SignIn } from './SignIn.tsx';

test('[H-10] [S-14] the loading page ends after at most 3 s', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const never = () => new Promise<never>(() => {});
  const { screen } = await renderConsole({ atOnce: true, answers: { refreshStaff: never } });
  // Without waiting: `expect.element` would move the fake time.
  const shows = (text: string) => screen.getByText(text).elements().length > 0;
  const note = 'Please wait while we verify your access';
  expect(shows('Loading handler console...') && shows(note)).toBe(true);
  await vi.advanceTimersByTimeAsync(2_999);
  expect(shows(note)).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  vi.useRealTimers();
  await expect.element(screen.getByRole('heading', { name: 'Handler Console' })).toBeVisible();
  expect(shows(note)).toBe(false);
});

test('[H-11] [E-06] Authentication Error shows when the server fails, and Retry works', async () => {
  const { screen, gateway } = await renderConsole({
    atOnce: true,
    answers: { refreshStaff: () => new Foreign(500, 'out of order') },
  });
  const title = screen.getByRole('heading', { name: 'Authentication Error' });
  await expect.element(title).toBeVisible();
  await expect.element(screen.getByText('Failed to initialize authentication')).toBeVisible();
  await screen.getByRole('button', { name: 'Retry' }).click();
  await expect.poll(() => gateway.asked('refreshStaff').length).toBe(2);
  await expect.element(title).toBeVisible();
  gateway.answer('refreshStaff', { staff: ana, idToken: 'id-token', expiresAt: Date.now() + 3_600_000 });
  await screen.getByRole('button', { name: 'Retry' }).click();
  await expect.element(screen.getByText(`Handler: ${ana.alias}`)).toBeVisible();
});

const signIn = (busy: boolean, error: string | null) => (
  <SignIn busy={busy} error={error} onSignIn={() => {}} />
);

test('the password field explains a refused sign-in, and is selected for typing again', async () => {
  const screen = await render(signIn(false, null));
  const password = screen.getByLabelText('Password');
  await screen.getByLabelText('Email address').fill('ana@settee.example');
  await password.fill('not the password');
  await expect.element(password).not.toHaveAttribute('aria-invalid');
  await screen.getByRole('button', { name: 'Sign in to Handler Console' }).click();

  await screen.rerender(signIn(true, null));
  await screen.rerender(signIn(false, 'Failed to sign in'));
  await expect.element(password).toHaveAttribute('aria-invalid', 'true');
  await expect
    .element(password)
    .toHaveAccessibleDescription(`Failed to sign in ${consoleTexts.signInAdvice}`);
  await expect.element(screen.getByRole('alert').getByText('Failed to sign in')).toBeVisible();
  await expect.element(password).toHaveFocus();
  const field = password.element() as HTMLInputElement;
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, 'not the password'.length]);
});

test('the sign-in opens with the focus on the email field', async () => {
  const screen = await render(signIn(false, null));
  await expect.element(screen.getByLabelText('Email address')).toHaveFocus();
});

const signedOut = { refreshStaff: () => new Refused('unauthenticated') };
const result = (content: unknown) => `/handler#sso=${encodeURIComponent(JSON.stringify(content))}`;

test('[ACCOUNT-11] without a provider there is no button', async () => {
  const { screen, gateway } = await renderConsole({ atOnce: true, answers: signedOut });
  await expect.poll(() => gateway.asked('readSignIn')).toHaveLength(1);
  await expect.element(screen.getByLabelText('Email address')).toBeVisible();
  expect(screen.getByRole('button', { name: /^Sign in with/ }).elements()).toHaveLength(0);
});

test.each([{ asked: {} }, { asked: 1 }, { asked: { ticket: 'a ticket', methods: ['__proto__'] } }, 1, null])(
  '[ACCOUNT-11] the invalid result %j shows the sign-in page',
  async (content) => {
    const { screen } = await renderConsole({ path: result(content), atOnce: true, answers: signedOut });
    await expect.element(screen.getByLabelText('Email address')).toBeVisible();
    expect(location.hash).toBe('');
  },
);

test.each(['__proto__', 'toString', 'unheard-of', {}])(
  '[ACCOUNT-11] the problem %j has the general text',
  async (problem) => {
    const { screen } = await renderConsole({ path: result({ problem }), atOnce: true, answers: signedOut });
    await expect.element(screen.getByText(consoleTexts.ssoProblems.failed)).toBeVisible();
    // A reload does not show it again.
    expect(location.hash).toBe('');
  },
);

test('[ACCOUNT-11] screen readers announce the problem: its text appears in a region that is there already', async () => {
  const arrivals: string[] = [];
  const observer = new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(node instanceof Element)) continue;
      const regions = [node, ...node.querySelectorAll('*')].filter((each) => each.role === 'alert');
      arrivals.push(...regions.map(({ textContent }) => textContent));
    }
  });
  observer.observe(document.body, { childList: true, subtree: true });
  const { screen } = await renderConsole({
    path: result({ problem: 'denied' }),
    atOnce: true,
    answers: signedOut,
  });
  await expect.element(screen.getByRole('alert').getByText(consoleTexts.ssoProblems.denied)).toBeVisible();
  observer.disconnect();
  expect(arrivals.length).toBeGreaterThan(0);
  expect(new Set(arrivals)).toEqual(new Set(['']));
});

test('[ACCOUNT-14] single sign-on leads to the second step', async () => {
  const asked = { ticket: 'a ticket', methods: ['totp', 'recovery'] };
  const { screen } = await renderConsole({ path: result({ asked }), atOnce: true, answers: signedOut });
  await expect.element(screen.getByRole('heading', { name: accountTexts.codeTitle })).toBeVisible();
});
