import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Composer } from './Composer.tsx';

test('text that is too long stays in the field, is explained, and is not sent', async () => {
  const sent: string[] = [];
  const screen = await render(
    <Composer
      draft=""
      onDraft={() => {}}
      onSend={async (text) => void sent.push(text)}
      openUploads={() => Promise.reject(new Error('no images here'))}
      onTyping={() => {}}
      focusAtOnce={false}
    />,
  );
  const field = screen.getByRole('textbox');
  await field.fill('a'.repeat(3_799));
  await expect.element(screen.getByText(/4,000/)).not.toBeInTheDocument();
  await field.fill('a'.repeat(3_800));
  await expect.element(screen.getByText('3,800/4,000')).toBeVisible();
  await field.fill('a'.repeat(5_000));
  await expect.element(screen.getByText('5,000/4,000')).toBeVisible();
  await expect.element(screen.getByText(/Too long to send/)).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.element(field).toHaveValue('a'.repeat(5_000));
  expect(sent).toEqual([]);
  await field.fill(`  ${'a'.repeat(4_000)}  `);
  await expect.element(screen.getByText(/Too long to send/)).not.toBeInTheDocument();
  await userEvent.keyboard('{Enter}');
  expect(sent).toHaveLength(1);
});
