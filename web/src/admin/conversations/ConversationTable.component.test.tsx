import { expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { Nothing } from './ConversationTable.tsx';

const filters = { show: '', alias: '', q: 'lighthouse', in: '' } as const;

test('a search of names and labels that finds nothing offers to search the messages', async () => {
  const onChange = vi.fn();
  const screen = await render(<Nothing filters={filters} onChange={onChange} onShowAll={() => {}} />);
  await screen.getByRole('button', { name: 'Search messages instead' }).click();
  expect(onChange).toHaveBeenCalledExactlyOnceWith({ ...filters, in: 'messages' });
});
