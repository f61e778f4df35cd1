import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { SignIn } from './SignIn.tsx';

const signIn = (busy: boolean, error: string | null) => (
  <SignIn busy={busy} error={error} onSignIn={() => {}} />
);

test('the password field explains a refused sign-in, and is selected for typing again', async () => {
  const screen = await render(signIn(false, null));
  const password = screen.getByLabelText('Password');
  await screen.getByLabelText('Email address').fill('ana@settee.example');
  await password.fill('not the password');
  await expect.element(password).not.toHaveAttribute('aria-invalid');

  await screen.rerender(signIn(true, null));
  await screen.rerender(signIn(false, 'Failed to sign in'));
  await expect.element(password).toHaveAttribute('aria-invalid', 'true');
  await expect.element(password).toHaveAccessibleDescription('Failed to sign in');
  await expect.element(screen.getByRole('alert').last()).toHaveTextContent('Failed to sign in');
  await expect.element(password).toHaveFocus();
  const field = password.element() as HTMLInputElement;
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, 'not the password'.length]);
});

test('the sign-in opens with the focus on the email field', async () => {
  const screen = await render(signIn(false, null));
  await expect.element(screen.getByLabelText('Email address')).toHaveFocus();
});
