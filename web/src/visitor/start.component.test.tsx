import { defaultBrand } from '@settee/protocol/model/brand';
import { texts } from '@settee/protocol/texts/texts';
import { afterEach, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Refused } from '../../test/fakeGateway.ts';
import { renderVisitor } from '../../test/renderVisitor.tsx';
import { CodeBanner } from './CodeBanner.tsx';
import { CodeView } from './CodeView.tsx';
import { loadForms } from './loadForms.ts';
import { NameForm } from './NameGate.tsx';
import type { Page } from './page.ts';

vi.mock('./loadForms.ts', { spy: true });

afterEach(() => {
  vi.restoreAllMocks();
  vi.mocked(loadForms).mockReset();
});

test('[V-03] [S-02] [V-07] Start chat and Start Chatting show that they are busy', async () => {
  const { forms } = await import('./forms.ts');
  const loading = Promise.withResolvers<typeof forms>();
  vi.mocked(loadForms).mockReturnValue(loading.promise);
  const { screen, gateway } = await renderVisitor({ attached: false });
  const release = gateway.hold('claimInvite');
  await screen.getByRole('button', { name: 'Start chat' }).click();
  await expect.element(screen.getByRole('button', { name: 'Starting chat...' })).toBeDisabled();
  loading.resolve(forms);
  await screen.getByLabelText('Display Name').fill('Jonas');
  await screen.getByRole('button', { name: 'Start Chatting' }).click();
  await expect.element(screen.getByRole('button', { name: 'Saving...' })).toBeDisabled();
  await expect.element(screen.getByPlaceholder('Message...')).not.toBeInTheDocument();
  release();
  await expect.element(screen.getByPlaceholder('Message...')).toBeVisible();
  expect(gateway.asked('claimInvite')).toHaveLength(1);
});

test('[E-04] [E-11] [S-07] a profile that cannot be saved is logged, and the chat opens anyway', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue();
  const { screen } = await renderVisitor({
    attached: false,
    answers: { saveProfile: () => new Refused('unavailable') },
  });
  await screen.getByRole('button', { name: 'Start chat' }).click();
  await screen.getByLabelText('Display Name').fill('Jonas');
  await screen.getByRole('button', { name: 'Start Chatting' }).click();
  await expect.element(screen.getByPlaceholder('Message...')).toBeVisible();
  await expect.poll(() => logged.mock.calls).toContainEqual(['saveProfile:', expect.any(String)]);
});

const form = (error: string | null, names: string[] = []) => (
  <NameForm submit="Start" saving={false} error={error} onName={(name) => names.push(name)}>
    <h2>What should I call you?</h2>
  </NameForm>
);

test('[C-01] the error about a name stays until the name is valid', async () => {
  const names: string[] = [];
  const screen = await render(form(null, names));
  const field = screen.getByLabelText('Display Name');
  const problem = screen.getByRole('alert');
  await expect.element(field).toHaveAttribute('maxlength', '40');
  await field.fill('A');
  await expect.element(problem).toHaveTextContent('');
  await screen.getByRole('button').click();
  await expect.element(problem).toHaveTextContent('Name must be at least 2 characters');
  await expect.element(field).toHaveFocus();
  await field.fill('An');
  await expect.element(problem).toHaveTextContent('');
  await field.fill('Guest');
  await screen.getByRole('button').click();
  await expect.element(problem).toHaveTextContent('Please enter your own name.');
  await field.fill('Ana');
  await screen.getByRole('button').click();
  expect(names).toEqual(['Ana']);
  await screen.rerender(form('Failed to save name', names));
  await expect
    .element(problem)
    .toHaveTextContent('Failed to save nameCheck your connection, then try again.');
  await expect.element(field).toHaveFocus();
  await field.fill('Anna');
  await expect.element(problem).toHaveTextContent('');
});

type NeedsCode = Extract<Page, { view: 'needsCode' }>;

const asked: NeedsCode = {
  view: 'needsCode',
  attaching: false,
  note: 'Continue code required',
  error: null,
};

const brand = { ...defaultBrand, displayName: 'Mara Lindqvist' };

const view = (page: NeedsCode) => <CodeView brand={brand} page={page} length={4} onCode={() => {}} />;

test('[C-02] the code view opens neutral, says what to enter, and accepts only digits, at most four', async () => {
  const screen = await render(<div dir="rtl">{view(asked)}</div>);
  const field = screen.getByRole('textbox', { name: 'Enter the 4-digit code from your other device' });
  await expect.element(field).toHaveFocus();
  expect(getComputedStyle(field.element()).direction).toBe('ltr');
  await expect.element(field).toHaveAttribute('inputmode', 'numeric');
  await expect.element(field).toHaveAttribute('aria-invalid', 'false');
  await expect.element(screen.getByRole('status')).toHaveTextContent('Continue code required');
  await expect.element(screen.getByRole('alert')).toBeEmptyDOMElement();
  await expect.element(screen.getByText('Mara Lindqvist')).toBeVisible();
  // Of the picture: one, and none around it.
  const parts = screen.container.querySelectorAll('form > div:first-child, form > div:first-child *');
  expect([...parts].filter((part) => getComputedStyle(part).boxShadow !== 'none')).toHaveLength(1);
  await userEvent.keyboard('a1b2');
  await expect.element(field).toHaveValue('12');
  await expect.element(screen.getByRole('button', { name: 'Continue' })).toBeDisabled();
  await field.fill(' 12 34-56');
  await expect.element(field).toHaveValue('1234');
  await expect.element(screen.getByRole('button', { name: 'Continue' })).toBeEnabled();
});

test('[V-04] [S-03] while a code is checked the field is locked; after an error the next digit replaces the code', async () => {
  const screen = await render(view(asked));
  const field = screen.getByRole('textbox');
  await expect.element(screen.getByRole('button', { name: 'Cancel' })).toBeVisible();
  await userEvent.keyboard('4821');
  await screen.rerender(view({ ...asked, note: null, attaching: true }));
  await expect.element(screen.getByRole('button', { name: 'Verifying...' })).toBeDisabled();
  await userEvent.keyboard('{Backspace}9');
  await expect.element(field).toHaveValue('4821');
  await screen.rerender(view({ ...asked, note: null, error: 'Failed to verify code' }));
  await expect
    .element(screen.getByRole('alert'))
    .toHaveTextContent('Failed to verify codeCheck your connection, then try again.');
  await userEvent.keyboard('7');
  await expect.element(field).toHaveValue('7');
});

afterEach(() => void vi.restoreAllMocks());

test('the banner has Copy and Dismiss as text, and announces each new code', async () => {
  const onDismiss = vi.fn();
  const screen = await render(<CodeBanner code="4827" onDismiss={onDismiss} />);
  const live = () => screen.container.querySelector('[aria-live="polite"]')?.textContent;
  await expect.poll(live).toBe('Continue in another browser or device, 4 8 2 7');
  await screen.rerender(<CodeBanner code="1903" onDismiss={onDismiss} />);
  await expect.poll(live).toBe('Continue in another browser or device, 1 9 0 3');
  await expect.element(screen.getByText('1903', { exact: true })).toBeVisible();
  for (const name of ['Copy', 'Dismiss']) {
    const button = screen.getByRole('button', { name, exact: true });
    await expect.element(button).toHaveTextContent(name);
    expect(button.element().getBoundingClientRect().height).toBeGreaterThanOrEqual(44);
  }
  await screen.getByRole('button', { name: 'Dismiss' }).click();
  await expect.poll(() => onDismiss.mock.calls.length).toBe(1);
});

test('[E-11] a copy that the browser forbids is logged and not shown as copied', async () => {
  const forbidden = new Error('forbidden');
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(forbidden);
  const logged = vi.spyOn(console, 'error').mockReturnValue();
  const screen = await render(<CodeBanner code="4827" onDismiss={() => {}} />);
  await screen.getByRole('button', { name: 'Copy' }).click();
  await expect.poll(() => logged.mock.calls).toEqual([['copy:', forbidden]]);
  await expect.element(screen.getByText('Code copied!')).not.toBeInTheDocument();
  await expect.element(screen.getByText(/^Continue on another device:/)).toBeVisible();
});

test('[R-06] each step of the visitor’s page has its own title', async () => {
  const seen: string[] = [];
  const expectTitle = async (title: string) => {
    await expect.poll(() => document.title).toBe(title);
    expect(seen).not.toContain(title);
    seen.push(title);
  };
  const { screen } = await renderVisitor({ attached: false });
  await expectTitle('Start a conversation · Settee');
  await screen.getByRole('button', { name: 'Start chat' }).click();
  await expectTitle('What should I call you? · Settee');
  await screen.getByLabelText('Display Name').fill('Léa Moreau');
  await screen.getByRole('button', { name: 'Start Chatting' }).click();
  await expect.element(screen.getByPlaceholder('Message...')).toBeVisible();
  await expectTitle('Settee');
  await screen.unmount();

  const second = await renderVisitor({ attached: false, invite: 'BOUND' });
  await second.screen.getByRole('button', { name: texts.enterCode }).click();
  await expectTitle('Continue this chat · Settee');
  await second.screen.unmount();

  const closed = await renderVisitor({ conversation: { status: 'closed', canSend: false } });
  await expect.element(closed.screen.getByText(texts.closedTitle)).toBeVisible();
  await expectTitle('This conversation is closed · Settee');
  await closed.screen.unmount();

  const none = await renderVisitor({
    path: '/i/a0aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    attached: false,
    atOnce: true,
    answers: { checkInvite: () => new Refused('invite_not_found') },
  });
  await expect.element(none.screen.getByText('Invite not found')).toBeVisible();
  await expectTitle('Unable to access chat · Settee');
});
