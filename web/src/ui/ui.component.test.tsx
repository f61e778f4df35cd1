import { expect, test, vi } from 'vitest';
import { cdp, type Locator, page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { emulateMedia, emulateTouch } from '../../test/browser.ts';
import { Menu, MenuItem } from './Menu.tsx';
import { Tooltip } from './Tooltip.tsx';
import { watchTooltips } from './tooltipWatch.ts';
import { useMenuButton } from './useMenuButton.ts';

function belowButton(menu: HTMLElement): void {
  menu.style.inset = '100px auto auto 0';
}

function Example({ onChoose }: { onChoose: (name: string) => void }) {
  const { open, close, button } = useMenuButton();
  return (
    <>
      <button type="button" {...button}>
        More
      </button>
      {open && (
        <Menu label="More" className="" onClose={close} place={belowButton}>
          {(choose) =>
            ['Close', 'Details', 'Sign Out'].map((name) => (
              <MenuItem key={name} onClick={() => choose(() => onChoose(name))}>
                {name}
              </MenuItem>
            ))
          }
        </Menu>
      )}
    </>
  );
}

test('a menu opens on its first item; arrow keys, Home and End move; Esc returns the focus', async () => {
  const screen = await render(<Example onChoose={() => {}} />);
  const item = (name: string) => screen.getByRole('menuitem', { name });
  await screen.getByRole('button', { name: 'More' }).click();
  await expect.element(item('Close')).toHaveFocus();
  for (const [key, name] of [
    ['{ArrowDown}', 'Details'],
    ['{End}', 'Sign Out'],
    ['{ArrowDown}', 'Close'],
    ['{ArrowUp}', 'Sign Out'],
    ['{Home}', 'Close'],
  ] as const) {
    await userEvent.keyboard(key);
    await expect.element(item(name)).toHaveFocus();
  }
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('menu')).not.toBeInTheDocument();
  await expect.element(screen.getByRole('button', { name: 'More' })).toHaveFocus();
});

test('a chosen item closes the menu before it runs; a press on the button closes it too', async () => {
  const onChoose = vi.fn();
  const screen = await render(<Example onChoose={onChoose} />);
  await screen.getByRole('button', { name: 'More' }).click();
  await screen.getByRole('menuitem', { name: 'Details' }).click();
  expect(onChoose).toHaveBeenCalledExactlyOnceWith('Details');
  await expect.element(screen.getByRole('menu')).not.toBeInTheDocument();
  await screen.getByRole('button', { name: 'More' }).click();
  await expect.element(screen.getByRole('menu')).toBeVisible();
  await screen.getByRole('button', { name: 'More' }).click();
  await expect.element(screen.getByRole('menu')).not.toBeInTheDocument();
});

const positions = ['top', 'bottom', 'left', 'right'] as const;

const places = {
  'in the middle': { top: '45%', left: '45%' },
  'at the start': { top: '30%', left: 0 },
  'at the end': { top: '60%', right: 0 },
  above: { top: 0, left: '45%' },
  below: { bottom: 0, left: '45%' },
};

type Options = { position?: (typeof positions)[number]; place?: keyof typeof places; delay?: number };

/** A button with a tooltip, and another button that no tooltip covers. The pointer is on the other one. */
async function renderTooltip({ place = 'in the middle', ...props }: Options = {}) {
  watchTooltips();
  const screen = await render(
    <>
      <button type="button" style={{ position: 'fixed', top: '80%', left: 0 }}>
        Elsewhere
      </button>
      <div style={{ position: 'fixed', ...places[place] }}>
        <Tooltip text="A text that explains the button" {...props}>
          {(id) => (
            <button type="button" aria-describedby={id}>
              Target
            </button>
          )}
        </Tooltip>
      </div>
    </>,
  );
  const elsewhere = screen.getByRole('button', { name: 'Elsewhere' });
  await elsewhere.hover();
  return {
    screen,
    elsewhere,
    target: screen.getByRole('button', { name: 'Target' }),
    tip: screen.getByRole('tooltip', { includeHidden: true }),
  };
}

const boxOf = (locator: Locator): DOMRect => locator.element().getBoundingClientRect();

test.each(positions)(
  '[B-09] a tooltip appears at the %s, outside of its target, and describes it',
  async (position) => {
    const { target, tip } = await renderTooltip({ position });
    await expect.element(tip).not.toBeVisible();
    const before = boxOf(target);
    await target.hover();
    await expect.element(tip).toBeVisible();
    const [button, text] = [boxOf(target), boxOf(tip)];
    expect(button, 'nothing moved').toEqual(before);
    expect({
      top: text.bottom <= button.top,
      bottom: text.top >= button.bottom,
      left: text.right <= button.left,
      right: text.left >= button.right,
    }).toEqual({ top: false, bottom: false, left: false, right: false, [position]: true });
    await expect.element(target).toHaveAccessibleDescription('A text that explains the button');
  },
);

test.each(positions)('[B-09] the edge of a phone does not cut off a tooltip at the %s', async (position) => {
  await page.viewport(360, 640);
  for (const place of ['at the start', 'at the end', 'above', 'below'] as const) {
    const { screen, target, tip } = await renderTooltip({ position, place });
    await target.hover();
    await expect.element(tip).toBeVisible();
    const [button, text] = [boxOf(target), boxOf(tip)];
    expect(text.left, place).toBeGreaterThanOrEqual(0);
    expect(text.top, place).toBeGreaterThanOrEqual(0);
    expect(text.right, place).toBeLessThanOrEqual(360);
    expect(text.bottom, place).toBeLessThanOrEqual(640);
    const beside = text.right <= button.left || text.left >= button.right;
    const aboveOrBelow = text.bottom <= button.top || text.top >= button.bottom;
    expect(beside || aboveOrBelow, `${place}: the button can still be pressed`).toBe(true);
    expect(document.documentElement.scrollWidth).toBe(360);
    await screen.unmount();
  }
});

/** The state at the moment when the pointer arrives: whether the text shows, and the delay until it does. */
async function delayOf(options: Options): Promise<{ visible: boolean; delay: number }> {
  const { screen, target, tip } = await renderTooltip(options);
  const arrived = new Promise<{ visible: boolean; delay: number }>((resolve) => {
    target.element().addEventListener('pointerover', () => {
      const visible = getComputedStyle(tip.element()).visibility === 'visible';
      const delays = tip
        .element()
        .getAnimations()
        .map(({ effect }) => effect?.getTiming().delay ?? 0);
      resolve({ visible, delay: Math.max(0, ...delays) });
    });
  });
  await target.hover();
  const state = await arrived;
  await expect.element(tip).toBeVisible();
  await screen.unmount();
  return state;
}

test.each(['no-preference', 'reduce'])(
  '[B-09] a tooltip waits 200 ms, or the given delay, with reduced motion: %s',
  async (motion) => {
    await emulateMedia({ 'prefers-reduced-motion': motion });
    expect(matchMedia(`(prefers-reduced-motion: ${motion})`).matches).toBe(true);
    expect(await delayOf({})).toEqual({ visible: false, delay: 200 });
    expect(await delayOf({ delay: 900 })).toEqual({ visible: false, delay: 900 });
    expect(await delayOf({ delay: 0 })).toMatchObject({ delay: 0 });
  },
);

test('[B-09] the pointer may move onto the tooltip, Esc hides it, and it appears again', async () => {
  const { elsewhere, target, tip } = await renderTooltip({ position: 'bottom' });
  await target.hover();
  await expect.element(tip).toBeVisible();
  // Through the gap between the button and the text.
  const x = boxOf(tip).width / 2;
  for (const y of [-6, -1, 4]) await tip.hover({ position: { x, y } });
  await expect.element(tip).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(tip).not.toBeVisible();
  await elsewhere.hover();
  await target.hover();
  await expect.element(tip).toBeVisible();
  await elsewhere.hover();
  await expect.element(tip).not.toBeVisible();
});

test('[B-09] keyboard focus shows the tooltip, Esc and leaving hide it', async () => {
  const { elsewhere, target, tip } = await renderTooltip();
  elsewhere.element().focus();
  await userEvent.keyboard('{Tab}');
  await expect.element(target).toHaveFocus();
  await expect.element(tip).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(tip).not.toBeVisible();
  await expect.element(target).toHaveFocus();
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}');
  await userEvent.keyboard('{Tab}');
  await expect.element(tip).toBeVisible();
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}');
  await expect.element(tip).not.toBeVisible();
});

/** A real tap. Vitest has none. */
async function tap(locator: Locator): Promise<void> {
  const { left, top, width, height } = boxOf(locator);
  const frame = window.frameElement?.getBoundingClientRect();
  const point = { x: (frame?.left ?? 0) + left + width / 2, y: (frame?.top ?? 0) + top + height / 2 };
  await cdp().send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] });
  await cdp().send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

test('[B-09] a tap shows the tooltip, a tap elsewhere hides it', async () => {
  await page.viewport(360, 640);
  await emulateTouch();
  const { elsewhere, target, tip } = await renderTooltip({ place: 'at the end' });
  await tap(target);
  await expect.element(tip).toBeVisible();
  expect(boxOf(tip).right).toBeLessThanOrEqual(360);
  await tap(elsewhere);
  await expect.element(tip).not.toBeVisible();
});
