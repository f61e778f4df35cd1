import { takesText } from './keyContext.ts';

/** The text field that had the focus last, until the focus goes on to something else. */
let field: Element | undefined;

/**
 * Whoever types goes on typing when the field is taken away under them: by a colleague who closes the chat, by a late
 * answer. Until they do something that shows they noticed, their letters are words and not commands.
 */
export function wasFieldRemoved(target: EventTarget | null): boolean {
  return field !== undefined && !field.isConnected && target === document.body;
}

/** They are done with it by their own doing, or have noticed that it is gone. */
export function forgetField(): void {
  field = undefined;
}

export function watchFields(): () => void {
  const focused = ({ target }: Event) => {
    field = target instanceof Element && takesText(target) ? target : undefined;
  };
  const pointed = () => {
    if (!field?.isConnected) forgetField();
  };
  // A dialog that was closed, and not torn away, took its field along by intent.
  const closed = ({ target }: Event) => {
    if (target instanceof HTMLDialogElement && field && target.contains(field)) forgetField();
  };
  document.addEventListener('focusin', focused);
  document.addEventListener('pointerdown', pointed, true);
  document.addEventListener('close', closed, true);
  return () => {
    document.removeEventListener('focusin', focused);
    document.removeEventListener('pointerdown', pointed, true);
    document.removeEventListener('close', closed, true);
  };
}
