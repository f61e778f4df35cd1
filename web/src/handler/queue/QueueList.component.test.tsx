import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { QueueList } from './QueueList.tsx';
import { useRowTabIndex } from './useRovingFocus.ts';

const rows = Array.from({ length: 300 }, (_, n) => ({ conversationId: `row-${n}` }));

function Row({ id }: { id: string }) {
  return (
    <a href={`#${id}`} tabIndex={useRowTabIndex(id)} style={{ display: 'block', height: 72 }}>
      {id}
    </a>
  );
}

function Listed({ openId }: { openId?: string }) {
  return (
    <>
      <button type="button">before</button>
      <div style={{ display: 'flex', height: 400 }}>
        <QueueList rows={rows} openId={openId}>
          {({ conversationId }) => <Row key={conversationId} id={conversationId} />}
        </QueueList>
      </div>
      <button type="button">after</button>
    </>
  );
}

const focused = () => document.activeElement?.textContent;

test('Tab stops at one row and leaves the list; arrow keys, Home and End move between rows', async () => {
  await render(<Listed />);
  await page.getByRole('button', { name: 'before' }).click();
  await userEvent.keyboard('{Tab}');
  expect(focused()).toBe('row-0');
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  await expect.poll(focused).toBe('row-2');
  await userEvent.keyboard('{End}');
  await expect.poll(focused).toBe('row-299');
  await userEvent.keyboard('{ArrowDown}{ArrowUp}');
  await expect.poll(focused).toBe('row-298');
  await userEvent.keyboard('{Home}');
  await expect.poll(focused).toBe('row-0');
  await userEvent.keyboard('{Tab}');
  expect(focused()).toBe('after');
});

test('Tab stops at the open conversation', async () => {
  await render(<Listed openId="row-120" />);
  await page.getByRole('button', { name: 'before' }).click();
  await userEvent.keyboard('{Tab}');
  expect(focused()).toBe('row-120');
});
