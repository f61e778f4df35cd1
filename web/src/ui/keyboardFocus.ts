/**
 * Says on the root element whether the focus was last moved by keyboard. Browsers count every focus of a text field
 * as visible, so CSS alone cannot keep the ring away from a field that was pressed.
 */
export function watchKeyboardFocus(): void {
  const { dataset } = document.documentElement;
  addEventListener('keydown', ({ key }) => {
    if (key === 'Tab') dataset.keyboard = '';
  });
  addEventListener('pointerdown', () => delete dataset.keyboard, true);
}
