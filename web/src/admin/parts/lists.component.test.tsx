import '../../design/base.css';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { BulkBar } from './BulkBar.tsx';
import { FileDrop } from './FileDrop.tsx';
import { ListFoot, ListPanel, ResultCount } from './ListPage.tsx';
import { type Column, ListRow, ListTable } from './ListTable.tsx';
import { Chips, SearchField, ToolbarSelect } from './ListTools.tsx';
import { Segments } from './Segments.tsx';
import { useSelection } from './useSelection.ts';

const columns: readonly Column<string>[] = [
  { text: 'Name', cell: (name) => name },
  { text: 'State', width: 120, cell: () => 'Open' },
];
const names = Array.from({ length: 40 }, (_, number) => `Row ${number + 1}`);

function Example({ onTask = () => {} }: { onTask?: (name: string) => void }) {
  const [words, setText] = useState('');
  const [kind, setKind] = useState('all');
  const selection = useSelection(names);
  return (
    <div style={{ blockSize: 480, display: 'flex', flexDirection: 'column' }}>
      <ListPanel
        label="Rows"
        tools={
          <>
            <SearchField label="Search rows" value={words} onChange={setText} />
            <Chips
              label="Show"
              value={kind}
              options={[
                { value: 'all', text: 'All', count: 1_234 },
                { value: 'new', text: 'New', count: 2 },
              ]}
              onChange={setKind}
            />
            <ToolbarSelect label="Handler" options={[{ value: '', text: 'Anyone' }]} />
          </>
        }
        foot={
          <ListFoot shown={40} total={320} more={{ load() {}, busy: false, failed: false }} thing="rows" />
        }
      >
        <ListTable
          label="Rows"
          columns={columns}
          ticks={{ ...selection.ticks, label: 'Select all shown' }}
          menus="Actions"
        >
          {names.map((name) => (
            <ListRow
              key={name}
              columns={columns}
              row={name}
              now={0}
              tick={{
                label: `Select ${name}`,
                selected: selection.selected.includes(name),
                onSelect: (on) => selection.select(name, on),
              }}
              menu={{
                label: `Actions for ${name}`,
                items: [{ text: 'Edit', run: () => onTask(name) }],
              }}
            />
          ))}
        </ListTable>
      </ListPanel>
      <BulkBar count={selection.selected.length} onClear={selection.clear}>
        <button type="button">Revoke</button>
      </BulkBar>
    </div>
  );
}

const height = (element: Element | null | undefined) => element?.getBoundingClientRect().height;

test('a list has its measures, and only its rows scroll', async () => {
  await page.viewport(1100, 700);
  const screen = await render(<Example />);
  const region = screen.getByRole('region', { name: 'Rows' }).element();
  const tools = screen.getByRole('searchbox').element().closest('search') as Element;
  const foot = screen.getByText('1 to 40 of 320').element().closest('footer') as Element;
  expect(height(tools)).toBe(56);
  expect(height(screen.getByRole('searchbox').element())).toBe(36);
  expect(height(screen.getByRole('columnheader', { name: 'Name' }).element())).toBe(38);
  expect(height(screen.getByRole('row', { name: /Row 1 / }).element())).toBe(48);
  expect(height(foot)).toBe(52);
  await expect.element(screen.getByText('1 to 40 of 320')).toBeVisible();
  expect(region.scrollHeight).toBeGreaterThan(region.clientHeight);
  const before = [tools, foot].map((element) => element.getBoundingClientRect().top);
  const head = screen.getByRole('columnheader', { name: 'Name' }).element();
  const headTop = head.getBoundingClientRect().top;
  region.scrollTop = 900;
  expect([tools, foot].map((element) => element.getBoundingClientRect().top)).toEqual(before);
  expect(head.getBoundingClientRect().top).toBe(headTop);
});

test('selected rows show one bar, and Escape clears the selection', async () => {
  await page.viewport(1100, 700);
  const screen = await render(<Example />);
  const bar = screen.getByRole('region', { name: '2 selected' });
  await screen.getByRole('checkbox', { name: 'Select Row 2' }).click();
  await screen.getByRole('checkbox', { name: 'Select Row 3' }).click();
  await expect.element(bar).toBeVisible();
  const row = screen.getByRole('row', { name: /Row 2 / }).element();
  expect(row.getAttribute('data-selected')).toBe('true');
  const all = screen.getByRole('checkbox', { name: 'Select all shown' }).element() as HTMLInputElement;
  expect(all.indeterminate).toBe(true);
  await userEvent.keyboard('{Escape}');
  await expect.element(bar).not.toBeInTheDocument();
  expect(row.getAttribute('data-selected')).toBe('false');
});

test('Escape in a row’s menu closes the menu and keeps the selection', async () => {
  await page.viewport(1100, 700);
  const screen = await render(<Example />);
  await screen.getByRole('checkbox', { name: 'Select Row 2' }).click();
  await screen.getByRole('button', { name: 'Actions for Row 4' }).click();
  await expect.element(screen.getByRole('menuitem', { name: 'Edit' })).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('menu')).not.toBeInTheDocument();
  await expect.element(screen.getByRole('region', { name: '1 selected' })).toBeVisible();
});

test('a row’s menu opens by its button and by a right click in the row', async () => {
  await page.viewport(1100, 700);
  const onTask = vi.fn();
  const screen = await render(<Example onTask={onTask} />);
  await screen.getByRole('cell', { name: 'Open' }).nth(2).click({ button: 'right' });
  await screen.getByRole('menuitem', { name: 'Edit' }).click();
  expect(onTask).toHaveBeenCalledWith('Row 3');
  await screen.getByRole('button', { name: 'Actions for Row 5' }).click();
  await screen.getByRole('menuitem', { name: 'Edit' }).click();
  expect(onTask).toHaveBeenLastCalledWith('Row 5');
});

test('the slash focuses the search, and its button clears it', async () => {
  await page.viewport(1100, 700);
  const screen = await render(<Example />);
  const field = screen.getByRole('searchbox', { name: 'Search rows' });
  await userEvent.keyboard('/');
  await expect.element(field).toHaveFocus();
  await userEvent.keyboard('a/b');
  await expect.element(field).toHaveValue('a/b');
  await screen.getByRole('button', { name: 'Clear search' }).click();
  await expect.element(field).toHaveValue('');
  await expect.element(field).toHaveFocus();
});

test('on a phone rows are cards, and nothing is wider than the page', async () => {
  await page.viewport(360, 700);
  const screen = await render(<Example />);
  const row = screen.getByRole('row', { name: /Row 1 / }).element();
  expect(getComputedStyle(row).display).toBe('flex');
  const panel = row.closest('table')?.parentElement;
  expect(panel?.scrollWidth).toBeLessThanOrEqual(panel?.clientWidth ?? 0);
  await expect.element(screen.getByText('Select all shown')).toBeVisible();
});

test('results of a search are announced: none, one, many, and that there are more', async () => {
  const screen = await render(<ResultCount count={undefined} />);
  const status = screen.getByRole('status');
  await expect.element(status).toHaveTextContent('');
  for (const [count, more, words] of [
    [0, false, 'Nothing found'],
    [1, false, '1 found'],
    [1_200, false, '1,200 found'],
    [50, true, 'More than 50 found'],
  ] as const) {
    await screen.rerender(<ResultCount count={count} more={more} />);
    await expect.element(status).toHaveTextContent(words);
  }
});

/** WCAG's contrast of two opaque colours. */
function contrast(one: string, two: string): number {
  const light = (colour: string) => {
    const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
      const share = Number(part) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [high = 0, low = 0] = [light(one), light(two)].toSorted((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

test('a selected chip or segment differs from the others by 3 to 1, in both themes', async () => {
  const options = [
    { value: 'a', text: 'Week' },
    { value: 'b', text: 'Month' },
  ];
  const screen = await render(
    <div style={{ background: 'var(--surface)' }}>
      <Chips label="Chips" value="a" options={options} onChange={() => {}} />
      <Segments label="Segments" value="a" options={options} onChange={() => {}} />
    </div>,
  );
  const face = (group: string) =>
    getComputedStyle(
      screen.getByRole('group', { name: group }).getByRole('radio', { name: 'Week' }).element()
        .nextElementSibling as Element,
    );
  try {
    for (const theme of ['light', 'dark']) {
      document.documentElement.dataset.theme = theme;
      const ground = getComputedStyle(
        screen.getByRole('group', { name: 'Chips' }).element().parentElement as Element,
      );
      expect(contrast(face('Chips').backgroundColor, ground.backgroundColor)).toBeGreaterThanOrEqual(3);
      const track = getComputedStyle(
        screen.getByRole('group', { name: 'Segments' }).element(),
      ).backgroundColor;
      const ring = /rgb\([^)]+\)(?= 0px 0px 0px 1\.5px inset)/.exec(face('Segments').boxShadow)?.[0] ?? '';
      expect(contrast(ring, track)).toBeGreaterThanOrEqual(3);
    }
  } finally {
    delete document.documentElement.dataset.theme;
  }
});

test('a file is chosen or dropped on one field, which shows what it read', async () => {
  const onFile = vi.fn();
  const screen = await render(
    <FileDrop label="Choose a CSV file" note="or drop it here" accept=".csv" onFile={onFile} />,
  );
  const field = screen.getByLabelText('Choose a CSV file');
  await expect.element(field).toHaveAccessibleDescription('or drop it here');
  await userEvent.upload(field, new File(['a,b'], 'list.csv', { type: 'text/csv' }));
  expect(onFile).toHaveBeenCalledWith(expect.objectContaining({ name: 'list.csv' }));
  // The input covers the whole zone, so it receives a file dropped anywhere.
  const zone = field.element().parentElement?.getBoundingClientRect();
  expect(field.element().getBoundingClientRect().width).toBeGreaterThan((zone?.width ?? 0) - 8);
});
