import { takesText } from './keyContext.ts';

/** The last focused text field, until the focus moves on. */
let field: Element | undefined;

/**
 * A field may be removed while the user types, for example because a colleague closed the chat. Until the user
 * reacts, keys are text and not commands.
 */
export function wasFieldRemoved(target: EventTarget | null): boolean {
  return field !== undefined && !field.isConnected && target === document.body;
}

/** The user left the field or noticed that it is gone. */
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
  // A dialog that was closed removed its field on purpose.
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
