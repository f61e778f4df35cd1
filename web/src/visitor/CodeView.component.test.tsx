import { defaultBrand } from '@settee/protocol/model/brand';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { CodeView } from './CodeView.tsx';
import type { Page } from './page.ts';

type NeedsCode = Extract<Page, { view: 'needsCode' }>;
const asked: NeedsCode = {
  view: 'needsCode',
  attaching: false,
  note: 'Continue code required',
  error: null,
};

const brand = { ...defaultBrand, displayName: 'Mara Lindqvist' };

/** Rejects every code as wrong. */
function Wrong({ onCode }: { onCode: (code: string) => void }) {
  const [page, setPage] = useState(asked);
  return (
    <CodeView
      brand={brand}
      page={page}
      length={4}
      onCode={(code) => {
        onCode(code);
        setPage({ ...asked, note: null, error: "That code doesn't match. Try again" });
      }}
    />
  );
}

test('[C-02] the code view opens neutral, says what to enter, and accepts only digits', async () => {
  const screen = await render(<Wrong onCode={() => {}} />);
  const field = screen.getByRole('textbox', { name: 'Enter the 4-digit code from your other device' });
  await expect.element(field).toHaveFocus();
  await expect.element(field).toHaveAttribute('inputmode', 'numeric');
  await expect.element(field).toHaveAttribute('aria-invalid', 'false');
  await expect.element(screen.getByRole('status')).toHaveTextContent('Continue code required');
  await expect.element(screen.getByRole('alert')).toBeEmptyDOMElement();
  await expect.element(screen.getByText('Mara Lindqvist')).toBeVisible();
  await userEvent.keyboard('a1b2');
  await expect.element(field).toHaveValue('12');
  await expect.element(screen.getByRole('button', { name: 'Continue' })).toBeDisabled();
});

test('the fourth digit submits; a wrong code turns red until the next digit', async () => {
  const onCode = vi.fn();
  const screen = await render(<Wrong onCode={onCode} />);
  const field = screen.getByRole('textbox');
  const alert = screen.getByRole('alert');
  await userEvent.keyboard('4821');
  expect(onCode).toHaveBeenCalledExactlyOnceWith('4821');
  await expect.element(alert).toHaveTextContent("That code doesn't match. Try again");
  await expect.element(field).toHaveFocus();
  await expect.element(field).toHaveAttribute('aria-invalid', 'true');
  // The button stays, to try the same code again.
  await screen.getByRole('button', { name: 'Continue' }).click();
  expect(onCode).toHaveBeenCalledTimes(2);
  // The digits are selected, so the next one replaces them.
  await field.click();
  (field.element() as HTMLInputElement).select();
  await userEvent.keyboard('7');
  await expect.element(field).toHaveValue('7');
  await expect.element(alert).toBeEmptyDOMElement();
  await expect.element(field).toHaveAttribute('aria-invalid', 'false');
});

test('nothing moves when an error appears', async () => {
  const screen = await render(<Wrong onCode={() => {}} />);
  const button = screen.getByRole('button', { name: 'Continue' });
  await expect.element(button).toBeVisible();
  const before = button.element().getBoundingClientRect().top;
  await userEvent.keyboard('4821');
  await expect.element(screen.getByRole('alert')).toHaveTextContent("That code doesn't match. Try again");
  expect(button.element().getBoundingClientRect().top).toBe(before);
});

test('[V-04] [S-03] while a code is checked the field is locked; after an error the next digit replaces the code', async () => {
  const view = (page: NeedsCode) => <CodeView brand={brand} page={page} length={4} onCode={() => {}} />;
  const screen = await render(view(asked));
  const field = screen.getByRole('textbox');
  await expect.element(screen.getByRole('button', { name: 'Cancel' })).toBeVisible();
  await userEvent.keyboard('4821');
  await screen.rerender(view({ ...asked, note: null, attaching: true }));
  await expect.element(screen.getByRole('button', { name: 'Verifying...' })).toBeDisabled();
  await userEvent.keyboard('{Backspace}9');
  await expect.element(field).toHaveValue('4821');
  await screen.rerender(view({ ...asked, note: null, error: 'Failed to verify code' }));
  await expect.element(screen.getByRole('alert')).toHaveTextContent('Failed to verify code');
  await userEvent.keyboard('7');
  await expect.element(field).toHaveValue('7');
});

test('Arabic digits are a code too', async () => {
  const onCode = vi.fn();
  const screen = await render(<Wrong onCode={onCode} />);
  await screen.getByRole('textbox').fill('٤٨٢١');
  expect(onCode).toHaveBeenCalledExactlyOnceWith('4821');
});

test('[C-02] [V-04] a pasted code keeps its digits, at most four', async () => {
  const onCode = vi.fn();
  const screen = await render(
    <>
      <input aria-label="Note" defaultValue=" 12 34-56" />
      <CodeView brand={brand} page={asked} length={4} onCode={onCode} />
    </>,
  );
  const note = screen.getByLabelText('Note').element() as HTMLInputElement;
  note.select();
  await userEvent.copy();
  const field = screen.getByRole('textbox', { name: /^Enter the 4-digit code/ });
  await field.click();
  await userEvent.paste();
  await expect.element(field).toHaveValue('1234');
  expect(onCode).toHaveBeenCalledExactlyOnceWith('1234');
});
