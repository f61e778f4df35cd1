import { useEffect, useRef, useState } from 'react';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Tooltip } from './Tooltip.tsx';
import { watchTooltips } from './tooltipWatch.ts';

/** A button with a tooltip, and a panel that returns the focus when Esc closes it. */
function Panelled() {
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (!open) return;
    const close = ({ key }: KeyboardEvent) => key === 'Escape' && setOpen(false);
    document.addEventListener('keydown', close);
    return () => {
      document.removeEventListener('keydown', close);
      button.current?.focus();
    };
  }, [open]);
  return (
    <>
      <Tooltip text="Notifications">
        {(id) => (
          <button
            ref={button}
            type="button"
            aria-labelledby={id}
            aria-expanded={open}
            onClick={() => setOpen(true)}
          />
        )}
      </Tooltip>
      {open && <input aria-label="Panel" />}
    </>
  );
}

test('[CONSOLE-11] a tooltip does not show when Esc returns the focus to its button', async () => {
  watchTooltips();
  const screen = await render(<Panelled />);
  const tip = screen.getByRole('tooltip', { includeHidden: true });
  await userEvent.keyboard('{Tab}');
  await expect.element(tip).toBeVisible();
  await userEvent.keyboard('{Enter}');
  screen.getByLabelText('Panel').element().focus();
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('button')).toHaveFocus();
  expect(getComputedStyle(tip.element()).display).toBe('none');
});
