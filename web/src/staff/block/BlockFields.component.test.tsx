import { useState } from 'react';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { type BlockChoice, BlockFields, blockBody, noChoice } from './BlockFields.tsx';

function Form({ onChoice }: { onChoice: (choice: BlockChoice) => void }) {
  const [choice, setChoice] = useState(noChoice);
  return (
    <BlockFields
      value={choice}
      onChange={(next) => {
        setChoice(next);
        onChoice(next);
      }}
    />
  );
}

test('a block has five durations, chosen by pointer or arrow keys', async () => {
  let chosen: BlockChoice = noChoice;
  const screen = await render(<Form onChoice={(choice) => (chosen = choice)} />);
  const group = screen.getByRole('group', { name: 'For how long' });
  await expect.element(group.getByRole('radio', { name: 'Until unblocked' })).toBeChecked();
  expect(group.getByRole('radio').elements()).toHaveLength(5);
  await group.getByRole('radio', { name: '1 day' }).click();
  expect(blockBody(chosen)).toEqual({ hours: 24 });
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(group.getByRole('radio', { name: '7 days' })).toBeChecked();
  await group.getByRole('radio', { name: 'Until unblocked' }).click();
  expect(blockBody(chosen)).toEqual({});
});
