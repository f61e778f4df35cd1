/**
 * Marks the root element if the focus last moved by keyboard. Browsers treat every focused text field as :focus-
 * visible, so CSS alone cannot hide the ring.
 */
export function watchKeyboardFocus(): void {
  const { dataset } = document.documentElement;
  addEventListener('keydown', ({ key }) => {
    if (key === 'Tab') dataset.keyboard = '';
  });
  addEventListener('pointerdown', () => delete dataset.keyboard, true);
}
