/** The message number in the address (`?message=`). Invalid values are ignored. */
export function messageInAddress(search: string): number | undefined {
  const given = new URLSearchParams(search).get('message') ?? '';
  return /^[1-9]\d{0,8}$/.test(given) ? Number(given) : undefined;
}

/** Scrolls the message to the middle of the list and makes it focusable. Returns its element, if it is on the page. */
export function scrollToMessage(list: HTMLElement, seq: number): HTMLElement | null {
  const message = list.querySelector<HTMLElement>(`[data-seq="${seq}"]`);
  if (!message) return null;
  list.scrollTop = message.offsetTop - (list.clientHeight - message.offsetHeight) / 2;
  message.tabIndex = -1;
  return message;
}
