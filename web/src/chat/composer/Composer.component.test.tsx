import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Composer } from './Composer.tsx';

const composer = (onSend: (text: string) => Promise<void>) => (
  <Composer
    draft=""
    onDraft={() => {}}
    onSend={onSend}
    openUploads={() => Promise.reject(new Error('no images here'))}
    onTyping={() => {}}
    focusAtOnce={false}
  />
);

test('[V-17] [V-18] [C-05] the composer sends trimmed text on Enter, adds a line on Shift+Enter and never sends blank text', async () => {
  const sent: string[] = [];
  const screen = await render(composer(async (text) => void sent.push(text)));
  const field = screen.getByPlaceholder('Message...');
  const submit = screen.getByRole('button', { name: 'Send', exact: true });
  await expect.element(screen.getByRole('button', { name: 'Send an image' })).toBeVisible();
  await expect.element(submit).toHaveAttribute('aria-disabled', 'true');
  await field.fill('   \n ');
  await userEvent.keyboard('{Enter}');
  await expect.element(submit).toHaveAttribute('aria-disabled', 'true');
  expect(sent).toEqual([]);
  await field.fill('  line one');
  await expect.element(submit).toHaveAttribute('aria-disabled', 'false');
  await userEvent.keyboard('{Shift>}{Enter}{/Shift}line two  ');
  await expect.element(field).toHaveValue('  line one\nline two  ');
  expect(sent).toEqual([]);
  await userEvent.keyboard('{Enter}');
  await expect.element(field).toHaveValue('');
  expect(sent).toEqual(['  line one\nline two  ']);
});

test('[V-19] the field grows to 120 px, then scrolls', async () => {
  const screen = await render(composer(async () => {}));
  const field = screen.getByPlaceholder('Message...');
  const element = field.element();
  const height = () => element.getBoundingClientRect().height;
  const low = height();
  await field.fill('1\n2\n3');
  expect(height()).toBeGreaterThan(low);
  await field.fill('1\n2\n3\n4\n5\n6\n7\n8');
  expect(height()).toBe(120);
  expect(getComputedStyle(element).overflowY).toBe('auto');
  expect(element.scrollHeight).toBeGreaterThan(120);
});

test('[C-05] while one message is being stored, no other is sent', async () => {
  const sent: string[] = [];
  let stored = () => {};
  const onSend = (text: string) => {
    sent.push(text);
    return new Promise<void>((resolve) => (stored = resolve));
  };
  const screen = await render(composer(onSend));
  const field = screen.getByPlaceholder('Message...');
  await field.fill('first');
  await userEvent.keyboard('{Enter}');
  const busy = screen.getByRole('button', { name: 'Sending...' });
  await expect.element(busy).toHaveAttribute('aria-disabled', 'true');
  await field.fill('second');
  await userEvent.keyboard('{Enter}');
  expect(sent).toEqual(['first']);
  await expect.element(field).toHaveValue('second');
  stored();
  await expect
    .element(screen.getByRole('button', { name: 'Send', exact: true }))
    .toHaveAttribute('aria-disabled', 'false');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => sent).toEqual(['first', 'second']);
});
