import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { expect, test } from 'vitest';
import { Refused } from '../../test/fakeGateway.ts';
import { renderConsole } from '../../test/renderConsole.tsx';

const signedOut = { refreshStaff: () => new Refused('unauthenticated') };
const result = (content: unknown) => `/handler#sso=${encodeURIComponent(JSON.stringify(content))}`;

test('[ACCOUNT-11] the sign-in page offers the provider by its name, if there is one', async () => {
  const { screen } = await renderConsole({
    atOnce: true,
    answers: { ...signedOut, readSignIn: { singleSignOn: 'Example Login' } },
  });
  await expect.element(screen.getByRole('button', { name: 'Sign in with Example Login' })).toBeVisible();
  await expect.element(screen.getByLabelText('Email address')).toHaveFocus();
});

test('[ACCOUNT-11] without a provider there is no button', async () => {
  const { screen, gateway } = await renderConsole({ atOnce: true, answers: signedOut });
  await expect.poll(() => gateway.asked('readSignIn')).toHaveLength(1);
  await expect.element(screen.getByLabelText('Email address')).toBeVisible();
  expect(screen.getByRole('button', { name: /^Sign in with/ }).elements()).toHaveLength(0);
});

test('[ACCOUNT-11] a failed single sign-on shows why, once', async () => {
  const { screen } = await renderConsole({
    path: result({ problem: 'unknown' }),
    atOnce: true,
    answers: { ...signedOut, readSignIn: { singleSignOn: 'Example Login' } },
  });
  await expect.element(screen.getByText(consoleTexts.ssoProblems.unknown)).toBeVisible();
  expect(location.hash).toBe('');
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
